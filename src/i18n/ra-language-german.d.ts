/** Types for the package, which has none. Declares only the texts that we use; we provide the others ourselves. */
declare module 'ra-language-german' {
  import type { TranslationMessages } from 'react-admin';

  type Ra = TranslationMessages['ra'];
  const messages: {
    ra: {
      action: Pick<
        Ra['action'],
        | 'add_filter'
        | 'back'
        | 'cancel'
        | 'clear_input_value'
        | 'confirm'
        | 'delete'
        | 'edit'
        | 'export'
        | 'list'
        | 'refresh'
        | 'remove'
        | 'save'
        | 'search'
        | 'show'
        | 'sort'
        | 'unselect'
      >;
      boolean: Ra['boolean'];
      page: Pick<Ra['page'], 'list' | 'not_found'>;
      message: Pick<Ra['message'], 'are_you_sure' | 'details' | 'no' | 'yes'>;
      navigation: Pick<Ra['navigation'], 'page_rows_per_page' | 'skip_nav'> & { prev: string };
      auth: Pick<Ra['auth'], 'user_menu' | 'password' | 'sign_in' | 'logout'>;
    };
  };
  export default messages;
}
