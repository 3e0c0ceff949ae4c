// Document: renders a long text from data: paragraphs, lists, steps and tables.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Rich } from './rich.tsx'

/** A paragraph, or several things of one kind. */
export type Block =
  | string
  | { is: 'list'; items: readonly string[] }
  | { is: 'steps'; items: readonly string[] }
  | { is: 'rows'; rows: readonly (readonly [name: string, value: string])[] }

export interface Section {
  /** The anchor it is reached by. */
  id: string
  title: string
  blocks: readonly Block[]
}

interface DocumentProps {
  lead?: string
  sections: readonly Section[]
  /** Names the list of contents above the text; without a name there is none. */
  contents?: string
  foot?: ReactNode
}

export function Document({ lead, sections, contents, foot }: DocumentProps) {
  return (
    <article className="px-4 pt-5 pb-16 rail:px-8 rail:pt-8">
      {lead && (
        <p className="text-read">
          <Rich text={lead} />
        </p>
      )}
      {contents && <Contents label={contents} sections={sections} />}
      {sections.map((section) => (
        <section key={section.id} id={section.id} className="mt-9 scroll-mt-18">
          <h2 className="text-lg font-semibold">{section.title}</h2>
          <Blocks blocks={section.blocks} />
        </section>
      ))}
      {foot && <footer className="mt-10 text-sm text-soft">{foot}</footer>}
    </article>
  )
}

function Contents({ label, sections }: { label: string; sections: readonly Section[] }) {
  return (
    <nav aria-label={label} className="mt-6 rounded-media border border-line px-4 py-3">
      <p className="font-semibold">{label}</p>
      <ol className="mt-1">
        {sections.map((section) => (
          <li key={section.id}>
            <Link
              to="."
              hash={section.id}
              className="inline-flex min-h-9 items-center text-soft underline-offset-3 hover:text-ink hover:underline"
            >
              {section.title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="mt-3 flex flex-col gap-3 text-read">
      {blocks.map((block) => (
        <OneBlock key={typeof block === 'string' ? block : JSON.stringify(block)} block={block} />
      ))}
    </div>
  )
}

function OneBlock({ block }: { block: Block }) {
  if (typeof block === 'string')
    return (
      <p>
        <Rich text={block} />
      </p>
    )
  switch (block.is) {
    case 'list':
      return <Items as="ul" marks="list-disc" items={block.items} />
    case 'steps':
      return <Items as="ol" marks="list-decimal" items={block.items} />
    case 'rows':
      return (
        <dl className="border-t border-line">
          {block.rows.map(([name, value]) => (
            <div key={name} className="gap-6 border-b border-line py-3 rail:flex">
              <dt className="shrink-0 text-sm font-semibold rail:w-40 rail:pt-0.5">{name}</dt>
              <dd className="min-w-0 flex-1 whitespace-pre-line">
                <Rich text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )
    default:
      return block satisfies never
  }
}

interface ItemsProps {
  as: 'ul' | 'ol'
  marks: string
  items: readonly string[]
}

function Items({ as: List, marks, items }: ItemsProps) {
  return (
    <List className={`${marks} flex flex-col gap-1.5 pl-6 marker:text-soft`}>
      {items.map((item) => (
        <li key={item}>
          <Rich text={item} />
        </li>
      ))}
    </List>
  )
}
