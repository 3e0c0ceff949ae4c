// Foundations: colours and type.
import { Shelf } from './shelf.tsx'

const colours = [
  ['paper', 'bg-paper'],
  ['raised', 'bg-raised'],
  ['sunk', 'bg-sunk'],
  ['line', 'bg-line'],
  ['edge', 'bg-edge'],
  ['ink', 'bg-ink'],
  ['soft', 'bg-soft'],
  ['seal', 'bg-seal'],
  ['seal-fill', 'bg-seal-fill'],
  ['seal-text', 'bg-seal-text'],
  ['good', 'bg-good'],
  ['good-text', 'bg-good-text'],
  ['care', 'bg-care'],
  ['care-text', 'bg-care-text'],
  ['info', 'bg-info'],
  ['info-text', 'bg-info-text'],
] as const

const sizes = [
  ['28', 'text-2xl font-semibold'],
  ['22', 'text-xl font-semibold'],
  ['18', 'text-lg'],
  ['16 読み物', 'text-read'],
  ['15 画面', 'text-base'],
  ['13', 'text-sm'],
  ['12', 'text-xs'],
] as const

export function Foundations() {
  return (
    <>
      <Shelf name="色">
        {colours.map(([name, className]) => (
          <span key={name} className="flex w-18 flex-col gap-1 text-xs">
            <span className={`h-12 rounded-field border border-line ${className}`} />
            {name}
          </span>
        ))}
      </Shelf>
      <Shelf name="文字">
        <div className="flex flex-col gap-2">
          {sizes.map(([name, className]) => (
            <p key={name} className={className}>
              {name}　届いた手紙に朱の封 Letter 0123
            </p>
          ))}
        </div>
      </Shelf>
    </>
  )
}
