// Rich: a sentence of our own texts, with links to pages of the app.
import { Link } from '@tanstack/react-router'
import { richPiecesOf } from './rich-pieces.ts'

export function Rich({ text }: { text: string }) {
  return richPiecesOf(text).map((piece) =>
    piece.is === 'text' ? (
      piece.text
    ) : (
      <Link
        key={piece.at}
        to={piece.path}
        {...(piece.hash === undefined ? {} : { hash: piece.hash })}
        className="text-info-text underline underline-offset-3"
      >
        {piece.text}
      </Link>
    ),
  )
}
