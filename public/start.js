/**
 * Shows the error screen of index.html if nothing is on the page because the application could not start: a script or
 * the texts of the language failed to load, or the first drawing failed. A file of its own, since the content security
 * policy refuses inline scripts; without imports, since those are what may be missing.
 */
(() => {
  const root = document.getElementById('root');
  const { texts: json } = document.getElementById('start-error').dataset;
  const element = (name, properties) => Object.assign(document.createElement(name), properties);
  const show = () => {
    if (root.textContent !== '') return;
    const texts = JSON.parse(json);
    let language = 'en';
    try {
      const { lang } = JSON.parse(localStorage.getItem('sweepline'));
      if (Object.hasOwn(texts, lang)) language = lang;
    } catch {
      // Without a stored language the screen is English.
    }
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
