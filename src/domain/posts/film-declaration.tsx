// FilmDeclaration: what a seller of an age-limited film declares, around its checkbox.
import type { ReactNode } from 'react'
import { FILM_DECLARATION, filmDeclarations } from '#contract/posts/film-declaration.ts'

export const filmDeclarationText = {
  title: '年齢制限のある動画を販売するときの宣誓',
  lead: '出演者を守る法律（AV出演被害防止・救済法など）にもとづき、次のすべてを宣誓してください。実在の人が写っていない作品（イラスト、アニメ、CGなど）は、該当する人がいないものとして宣誓できます。宣誓の内容と日時を記録します。',
  check: 'すべて確認し、宣誓します',
  required: 'この動画を販売するには、宣誓が必要です',
} as const

const words = filmDeclarationText

/** @param children the checkbox, with the label `filmDeclarationText.check` */
export function FilmDeclaration({ children }: { children: ReactNode }) {
  return (
    <section aria-label={words.title} className="py-4">
      <h3 className="font-semibold">{words.title}</h3>
      <p className="mt-1 text-sm text-soft">{words.lead}</p>
      <ul className="mt-2 list-disc pl-5 text-sm">
        {(filmDeclarations[FILM_DECLARATION] ?? []).map((point) => (
          <li key={point} className="mt-1">
            {point}
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}
