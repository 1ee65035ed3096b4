using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Encodings.Web;
using System.Text.Json;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace Gateway.Rest.Documents;

/// <summary><c>GET /openapi.json</c> of each API. A document is made when somebody first asks, off this thread, and
/// kept for the life of the process, plain and compressed. Thread-safe.</summary>
internal sealed class DocumentEndpoint(DocumentBuilder builder, RestRequests requests, AnswerSender sender)
{
    private const string Gzip = "gzip";
    private const int TagBytes = 12;

    private static readonly JsonSerializerOptions Options = new()
    {
        // Never sent as HTML.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private sealed record Document(byte[] Plain, byte[] Compressed, string Tag);

    private static ApiOperation Operation { get; } = new(
        """
        {
          "operationId": "getOpenApi", "tags": ["OpenAPI"], "summary": "This document.",
          "responses": {
            "200": {
              "description": "An OpenAPI 3.1 document.",
              "headers": {"ETag": {"schema": {"type": "string"}, "description": "Send it back as If-None-Match."}},
              "content": {"application/json": {"schema": {"type": "object", "required": ["openapi", "paths"]}}}
            },
            "304": {"description": "The client has it."}
          }
        }
        """);

    public RestRoute RouteOf(ApiInfo api)
    {
        var document = new Lazy<Task<Document>>(() => Task.Run(() => Make(api)));
        return new RestRoute("GET", "/openapi.json", context => requests.ContainAsync(
            context, async () => await AnswerAsync(context, await document.Value.ConfigureAwait(false))
                .ConfigureAwait(false)))
        {
            Operations = [Operation],
        };
    }

    private Document Make(ApiInfo api)
    {
        var plain = JsonSerializer.SerializeToUtf8Bytes(builder.Build(api), Options);
        using var compressed = new MemoryStream();
        using (var gzip = new GZipStream(compressed, CompressionLevel.Optimal, leaveOpen: true))
            gzip.Write(plain);
        return new Document(
            plain, compressed.ToArray(), Convert.ToHexStringLower(SHA256.HashData(plain).AsSpan(0, TagBytes)));
    }

    private async Task AnswerAsync(HttpContext context, Document document)
    {
        var (request, response) = (context.Request, context.Response);
        var isCompressed = TakesGzip(request);
        var tag = isCompressed ? $"\"{document.Tag}-{Gzip}\"" : $"\"{document.Tag}\"";
        response.Headers.ETag = tag;
        response.Headers.CacheControl = "private, no-cache";
        response.Headers.Vary = "Authorization, Accept-Encoding";
        if (EntityTag.IsKnown(request, tag))
        {
            response.StatusCode = StatusCodes.Status304NotModified;
            return;
        }

        var body = isCompressed ? document.Compressed : document.Plain;
        response.ContentType = RestAnswer.Json;
        response.ContentLength = body.Length;
        if (isCompressed)
            response.Headers.ContentEncoding = Gzip;
        await sender.SendAsync(context, body, context.RequestAborted).ConfigureAwait(false);
    }

    private static bool TakesGzip(HttpRequest request) =>
        StringWithQualityHeaderValue.TryParseList(request.Headers.AcceptEncoding, out var accepted) &&
        accepted.Any(static one => one.Value.Equals(Gzip, StringComparison.OrdinalIgnoreCase) && one.Quality is not 0);
}
