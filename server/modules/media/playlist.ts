// Playlists of a video: their URLs get the query of the playlist's own request.

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
