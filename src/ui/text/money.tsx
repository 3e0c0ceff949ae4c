// Money: an amount with its unit, in figures of one width.

/** `note` follows in smaller text, such as the tax or the period. */
export function Money({ amount, text, note }: { amount: number; text: string; note?: string }) {
  return (
    <data value={amount} className="whitespace-nowrap tabular-nums">
      {text}
      {note && <span className="text-[0.8em] font-normal">{note}</span>}
    </data>
  )
}
