import { handleRequest } from '../http/handle-request.ts';
import { badRequest } from '../http/http-error.ts';
import type { StudioContext } from './studio-context.ts';
import { parseWholeNumber } from './studio-request.ts';
import type { ApiResponse } from './studio-types.ts';

/** What the API responds to a read now: from the origin, and without counting or logging it. */
export async function readApiResponse(
  query: URLSearchParams,
  { requestContext }: StudioContext,
): Promise<ApiResponse> {
  const context = requestContext();
  const path = query.get('path') ?? '';
  const key = [...context.state.keys.keys()][parseWholeNumber(query.get('key'), 0)];
  if (!/^\/contents(?:[/?]|$)/.test(path) || !URL.canParse(context.baseUrl + path)) throw badRequest();
  const url = new URL(context.baseUrl + path);
  const request = new Request(url, { headers: key === undefined ? {} : { [context.header]: key } });
  const { response } = await handleRequest(request, url, {
    ...context,
    cdn: undefined,
    rateLimit: undefined,
    beforeRead: undefined,
  });
  return { status: response.status, body: await response.text() };
}
