// SoldItems: the posts and plans that brought the most in a month.
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { SoldItem } from '#contract/sales/sales.ts'
import { yen } from '#src/lib/format.ts'
import { Money } from '#src/ui/text/money.tsx'
import { Section } from './section.tsx'
import { salesText } from './text.ts'

const words = salesText.items

export function SoldItems({ items, month }: { items: readonly SoldItem[]; month: string }) {
  return (
    <Section title={words.title}>
      {items.length === 0 ? (
        <p className="mt-2 text-soft">{words.none}</p>
      ) : (
        <ol className="mt-3 border-t border-line">
          {items.map((it) => (
            <li key={`${it.kind} ${it.id ?? ''}`} className="border-b border-line">
              <Item item={it} month={month} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

function Item({ item, month }: { item: SoldItem; month: string }) {
  const { id } = item
  if (id === null) return <Line item={item} />
  return (
    <Link
      to="/settings/sales-management/entries"
      search={{ month, item: id }}
      className="-mx-2 flex items-center gap-2 rounded-field px-2 hover:bg-sunk"
    >
      <Line item={item} />
      <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
      <span className="sr-only">{words.open}</span>
    </Link>
  )
}

const titleOf = ({ title }: SoldItem) => (title === '' ? salesText.noItem : title)

function Line({ item }: { item: SoldItem }) {
  return (
    <span className="flex min-w-0 flex-1 items-start justify-between gap-4 py-2.5">
      <span className="min-w-0">
        <span className="line-clamp-2 break-words">{titleOf(item)}</span>
        <span className="block text-sm text-soft tabular-nums">
          {salesText.kinds[item.kind]}・{words.sold(item.sold)}
          {item.refunds > 0 && `・${words.refunds(yen(item.refunds))}`}
        </span>
      </span>
      <span className="text-right">
        <span className="block">
          <Money amount={item.sales} text={yen(item.sales)} />
        </span>
        <span className="block text-sm whitespace-nowrap text-soft tabular-nums">
          {words.net(yen(item.net))}
        </span>
      </span>
    </span>
  )
}
