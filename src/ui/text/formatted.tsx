// Formatted: a text of headings, paragraphs and lists with bold pieces and links.
import { cx } from '#src/ui/cx.ts'

interface Piece {
  readonly text: string
  readonly bold?: true | undefined
  readonly href?: string | undefined
}

type Block =
  | { readonly is: 'heading'; readonly level: 2 | 3; readonly pieces: readonly Piece[] }
  | { readonly is: 'paragraph'; readonly pieces: readonly Piece[] }
  | { readonly is: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Piece[])[] }

interface FormattedProps {
  content: readonly Block[]
  className?: string
}

/** The page has a heading of the second level above it, so its own begin with the third. */
export function Formatted({ content, className }: FormattedProps) {
  return (
    <div
      dir="auto"
      className={cx('flex flex-col gap-4 text-read break-words whitespace-pre-wrap', className)}
    >
      {content.map((block, i) => (
        // eslint-disable-next-line react/no-array-index-key -- the blocks of one text have no other name
        <BlockView key={i} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  if (block.is === 'paragraph')
    return (
      <p>
        <Pieces pieces={block.pieces} />
      </p>
    )
  if (block.is === 'heading') {
    const Heading = block.level === 2 ? 'h3' : 'h4'
    return (
      <Heading className={cx('font-semibold', block.level === 2 ? 'mt-3 text-lg first:mt-0' : 'mt-1')}>
        <Pieces pieces={block.pieces} />
      </Heading>
    )
  }
  const List = block.ordered ? 'ol' : 'ul'
  return (
    <List className={cx('flex flex-col gap-1 pl-6', block.ordered ? 'list-decimal' : 'list-disc')}>
      {block.items.map((item, i) => (
        // eslint-disable-next-line react/no-array-index-key -- as above
        <li key={i}>
          <Pieces pieces={item} />
        </li>
      ))}
    </List>
  )
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, bold, href }, i) => {
    const words = bold ? <strong className="font-semibold">{text}</strong> : text
    const key = `${i} ${text}`
    if (href === undefined) return <span key={key}>{words}</span>
    return (
      <a
        key={key}
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className="break-all text-info-text underline underline-offset-3"
      >
        {words}
      </a>
    )
  })
}
