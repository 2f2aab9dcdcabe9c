// Creates elements. Text is always inserted as text, never as markup, because names come from
// untrusted files.
const dom = (() => {
  const kMostRows = 200;  // of a table

  // element('p', {class: 'small', text: 'x'}, child, ...): children are elements or strings; null
  // and false are skipped.
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name === 'text')
        made.textContent = value;
      else if (name.startsWith('on'))
        made.addEventListener(name.slice(2), value);
      else
        made.setAttribute(name, value === true ? '' : value);
    }
    made.append(
        ...children.filter((child) => child !== null && child !== false && child !== undefined));
    return made;
  }

  // A section with a heading, or null if it has no content, so that sections without data are
  // absent.
  function section(id, title, about, ...content) {
    const children = content.filter(Boolean);
    if (children.length === 0) return null;
    return element(
        'section', {id, 'aria-labelledby': id + '-title'},
        element('h2', {id: id + '-title', text: title}), about, ...children);
  }

  // A table. Columns are {name, text, class, unseen, cell(row) -> string or element}. The first
  // column is the heading of its row. The names of `unseen` columns are for screen readers only.
  // ARIA roles keep it a table where the style sheet shows rows as cards.
  // A long table ends with the number of rows that are left out; the file of results has all.
  function table(options, columns, all) {
    const rows = all.slice(0, kMostRows);
    const left = all.length - rows.length;
    const cell = (column, row, index) => {
      const content = column.cell(row);
      return element(
          index === 0 ? 'th' : 'td', {
            role: index === 0 ? 'rowheader' : 'cell',
            scope: index === 0 ? 'row' : null,
            class: [column.text ? 'text' : '', column.class || ''].join(' ').trim() || null,
            'data-name': index === 0 ? null : column.name,
          },
          content);
    };
    return element(
        'table', {class: 'cards', role: 'table', id: options.id, 'aria-label': options.label},
        element(
            'thead', {role: 'rowgroup'},
            element(
                'tr', {role: 'row'},
                ...columns.map(
                    (column) => element(
                        'th', {
                          role: 'columnheader',
                          scope: 'col',
                          class: column.text ? 'text' : null,
                        },
                        column.unseen ? element('span', {class: 'unseen', text: column.name}) :
                                        column.name)))),
        element(
            'tbody', {role: 'rowgroup'},
            ...rows.map(
                (row) => element(
                    'tr', {
                      role: 'row',
                      'aria-current': options.current && options.current(row) ? 'true' : null,
                    },
                    ...columns.map((column, index) => cell(column, row, index))))),
        left > 0 &&
            element(
                'tfoot', {role: 'rowgroup'},
                element('tr', {role: 'row'}, element('td', {
                          role: 'cell',
                          class: 'text muted',
                          colspan: String(columns.length),
                          text: '... and ' + left.toLocaleString('en-US') +
                              ' more; the data at the end of the page have all'
                        }))));
  }

  // A figure with a smaller text below it.
  const stacked = (figure, below) =>
      element('span', {}, figure, below && element('span', {class: 'small muted', text: below}));

  // A bar of `fraction` of the width, with dots at further fractions. Decorative: the text beside
  // it has the same information.
  function bar(fraction, dots = [], kind = '') {
    const share = (value) => (Math.max(0, Math.min(1, value)) * 100).toFixed(3) + '%';
    const made =
        element('span', {class: ('bar ' + kind).trim(), 'aria-hidden': 'true'}, element('span'));
    made.firstChild.style.width = share(fraction);
    made.firstChild.hidden = !(fraction > 0);
    for (const dot of dots) {
      const mark = element('i');
      mark.style.left = share(dot);
      made.append(mark);
    }
    return made;
  }
  return {element, section, table, stacked, bar};
})();
