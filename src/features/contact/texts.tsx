// Texts: names and texts of an inquiry, without the empty ones.

export function Texts({ texts }: { texts: readonly (readonly [name: string, text: string])[] }) {
  return (
    <dl className="flex flex-col gap-3">
      {texts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-soft">{name}</dt>
            <dd dir="auto" className="break-words whitespace-pre-wrap">
              {value}
            </dd>
          </div>
        ))}
    </dl>
  )
}
