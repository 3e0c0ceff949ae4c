// Endpoints of posts, feeds, comments, likes and reports.
import { getBoughtVersion } from './bought-version.ts'
import { getReportedMessages } from './admin-reports.ts'
import { listComments, listReplies, addComment, deleteComment } from './comments.ts'
import { declareFilm } from './film-declaration.ts'
import { listFeed, countNewer } from './feed.ts'
import { likePost, unlikePost, likeComment, unlikeComment } from './likes.ts'
import { changePost, deletePost } from './own-posts.ts'
import { addPost, releasePost, sendChunk, withdrawPost, listPosts, getPost } from './posts.ts'
import { sendReport, listOwnReports } from './reports.ts'

export const postEndpoints = [
  addPost,
  releasePost,
  sendChunk,
  withdrawPost,
  listPosts,
  getPost,
  getBoughtVersion,
  listFeed,
  countNewer,
  changePost,
  declareFilm,
  deletePost,
  likePost,
  unlikePost,
  listComments,
  listReplies,
  addComment,
  deleteComment,
  likeComment,
  unlikeComment,
  sendReport,
  listOwnReports,
  getReportedMessages,
] as const
