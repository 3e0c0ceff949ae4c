// Parses links in the app's texts: `[label](/path#anchor)`.

export type RichPiece =
  | { is: 'text'; text: string; at: number }
  | { is: 'link'; text: string; path: string; hash: string | undefined; at: number }

const link = /\[([^[\]]+)\]\((\/[^[)#]*)(?:#([^[)]+))?\)/g

/** Cuts a text into plain pieces and links; `at` is where a piece begins. */
export function richPiecesOf(text: string): RichPiece[] {
  const pieces: RichPiece[] = []
  let from = 0
  for (const match of text.matchAll(link)) {
    const [whole, label = '', path = '', hash] = match
    if (match.index > from) pieces.push({ is: 'text', text: text.slice(from, match.index), at: from })
    pieces.push({ is: 'link', text: label, path, hash, at: match.index })
    from = match.index + whole.length
  }
  if (from < text.length) pieces.push({ is: 'text', text: text.slice(from), at: from })
  return pieces
}
