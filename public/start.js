/**
 * Shows the error screen of index.html if nothing is on the page because the application could not start: a script or
 * the texts of the language failed to load, or the first drawing failed. A file of its own, since the content security
 * policy refuses inline scripts; without imports, since those are what may be missing.
 */
(() => {
  const root = document.getElementById('root');
  const screen = document.getElementById('start-error');
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const show = () => {
    if (root.textContent !== '') return;
    const texts = JSON.parse(screen.dataset.texts);
    let language = 'en';
    try {
      const { lang } = JSON.parse(localStorage.getItem('sweepline'));
      if (Object.hasOwn(texts, lang)) language = lang;
    } catch {
      // Without a stored language the screen is English.
    }
    document.documentElement.lang = language;
    const { title, page_load, reload } = texts[language];
    const button = element('button', reload);
    button.type = 'button';
    button.className = 'sl-button sl-button-primary';
    button.onclick = () => location.reload();
    screen.replaceChildren(element('h1', title), element('p', page_load), button);
    screen.hidden = false;
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
