// HTML of the server's own pages: escaped text, and the frame of a page.

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (it) => entities[it] ?? it)

/**
 * A small page of the server itself, with one stylesheet and without scripts.
 * @param title plain text
 * @param stylesheet path of this server
 * @param body HTML
 */
export function htmlPage(title: string, stylesheet: string, body: string): string {
  return `<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}
