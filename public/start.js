/**
 * What comes before the application. Requests the texts of the user's language and, where the address is that of the
 * dashboard or a list, its page, together with the first scripts, which would ask for them one after the other. Shows
 * the error screen if nothing is on the page because the application could not start: a script or the texts of the
 * language failed to load, or the first drawing failed. A file of its own, since the content security policy refuses
 * inline scripts; without imports, since those are what may be missing.
 */
(() => {
  const root = document.getElementById('root');
  const { texts: json, files } = document.getElementById('start').dataset;
  const element = (name, properties) => Object.assign(document.createElement(name), properties);
  let session = {};
  try {
    session = JSON.parse(localStorage.getItem('sweepline')) ?? {};
  } catch {
    // What cannot be read counts as absent: English, logged out.
  }

  const { languages, pages } = JSON.parse(files);
  const valueOf = (object, key, instead) => (Object.hasOwn(object, key) ? object[key] : object[instead]) ?? [];
  const [, list] = /^\/([a-z_]+)$/.exec(location.pathname) ?? [];
  const page = location.pathname === '/' ? 'dashboard' : list;
  const isKnown = Boolean(session.t) && page !== undefined && page !== 'account' && !/[?&]wall=/.test(location.search);
  for (const file of [...valueOf(languages, session.lang, 'en'), ...(isKnown ? valueOf(pages, page, 'others') : [])])
    document.head.append(element('link', { rel: 'modulepreload', crossOrigin: '', href: `/${file}` }));

  const show = () => {
    if (root.textContent !== '') return;
    const texts = JSON.parse(json);
    const language = Object.hasOwn(texts, session.lang) ? session.lang : 'en';
    document.documentElement.lang = language;
    const { title, page_load, reload } = texts[language];
    const screen = element('section', { className: 'sl-empty', role: 'alert' });
    screen.append(
      element('h1', { textContent: title }),
      element('p', { textContent: page_load }),
      element('button', {
        textContent: reload,
        type: 'button',
        className: 'sl-button sl-button-primary',
        onclick: () => location.reload(),
      }),
    );
    // The application replaces it if it draws after all.
    root.append(screen);
  };
  // React empties the page after it has reported an error.
  const showSoon = () => setTimeout(show, 100);
  addEventListener('unhandledrejection', showSoon);
  addEventListener(
    'error',
    ({ target }) => {
      if (target === window || target instanceof HTMLScriptElement) showSoon();
    },
    true,
  );
})();
