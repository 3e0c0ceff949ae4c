// Prose: a user's text with line breaks and links.
import { cx } from '#src/ui/cx.ts'

/** ASCII, as browsers copy addresses: Japanese text right behind one is text again. It does not end in punctuation. */
const address = /https?:\/\/[!#-&(-;=?-~]*[#-&*+\-/-9=@-Z_a-z~]/g

export interface Piece {
  is: 'text' | 'link'
  text: string
  /** Where it begins. */
  at: number
}

/** Cuts a text into plain pieces and https or http addresses. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(address)) {
    if (match.index > from) pieces.push({ is: 'text', text: text.slice(from, match.index), at: from })
    pieces.push({ is: 'link', text: match[0], at: match.index })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ is: 'text', text: text.slice(from), at: from })
  return pieces
}

export function Prose({ text, className }: { text: string; className?: string }) {
  return (
    <p
      dir="auto"
      className={cx('text-read break-words whitespace-pre-wrap [unicode-bidi:plaintext]', className)}
    >
      {piecesOf(text).map((piece) =>
        piece.is === 'link' ? (
          <a
            key={piece.at}
            href={piece.text}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            className="break-all text-info-text underline underline-offset-3"
          >
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </p>
  )
}
