// A path that stands before all others, as a reverse proxy has for each gateway behind it.
import type { RequestListener } from "node:http";

/** The URL without the path before it; undefined when it is elsewhere. */
export function pathBelow(basePath: string, url: string): string | undefined {
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : undefined;
}

/** Hands on what is below the path, without the path; everything else is answered as a reverse proxy does. */
export function belowPath(basePath: string, listener: RequestListener): RequestListener {
  return (request, response) => {
    const url = pathBelow(basePath, request.url ?? "/");
    if (url === undefined) {
      request.resume();
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not Found</h1>");
      return;
    }
    request.url = url;
    listener(request, response);
  };
}
