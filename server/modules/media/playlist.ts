// HLS playlists: adds the query of a playlist's own request to its URLs.

/** Adds a query to every URL of a playlist, including those in attributes. An empty query changes nothing. */
export function withQuery(playlist: string, query: string): string {
  if (query === '') return playlist
  return playlist
    .split('\n')
    .map((line) => {
      if (line.startsWith('#')) return line.replace(/URI="([^"?]+)"/g, `URI="$1?${query}"`)
      return line.trim() === '' ? line : `${line}?${query}`
    })
    .join('\n')
}
