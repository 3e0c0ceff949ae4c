// What a seller of an age-limited film declares, by version of the text.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { postView } from './posts.ts'

/** The version that is declared now. A change of the text needs another one: what was declared stays readable. */
export const FILM_DECLARATION = 1

/** The points of each version (AV出演被害防止・救済法 第4条〜第9条). */
export const filmDeclarations: Readonly<Record<number, readonly string[]>> = {
  1: [
    '写っているすべての人と、作品ごとに書面で出演契約を結び、契約の前に内容を説明しました。',
    '契約から撮影まで、1か月以上あけました。',
    'すべての撮影が終わってから公開まで、4か月以上あけました。',
    '写っているすべての人について、本人であることと18歳以上であることを確認し、記録を保管しています。',
  ],
}

/** A version that a device may have shown. */
export const filmDeclarationVersion = v.pipe(
  v.number(),
  v.check((it) => it in filmDeclarations, 'malformed'),
)

/**
 * Declares this for the film of an own post, once. A released post that waited for it is shown to others; one that has another reason
 * to wait goes on waiting. `not_found`: not an own released post with a video.
 */
export const declareFilm = endpoint({
  name: 'declareFilm',
  method: 'PUT',
  path: '/posts/:post_id/film-declaration',
  audience: 'member',
  summary: '年齢制限のある動画について、出演者との契約と年齢の確認を宣誓します',
  params: v.object({ post_id: id }),
  body: v.object({ version: filmDeclarationVersion }),
  reply: postView,
  errors: ['unauthenticated', 'not_found'],
})
