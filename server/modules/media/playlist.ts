// Playlists of a video: what they name is opened by the query the playlist itself was asked with.

/** A playlist whose files, those in attributes too, carry this query; without one it stays as it is. */
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
