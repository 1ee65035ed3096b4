namespace Gateway.Host.Http;

/// <summary>A JSON body that holds only for now and is nothing but JSON.</summary>
internal static class JsonAnswer
{
    public static async Task WriteAsync(HttpContext context, ReadOnlyMemory<byte> body)
    {
        var response = context.Response;
        response.ContentType = "application/json; charset=utf-8";
        response.ContentLength = body.Length;
        response.Headers.CacheControl = "no-store";
        await response.Body.WriteAsync(body, context.RequestAborted).ConfigureAwait(false);
    }
}
