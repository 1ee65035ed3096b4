using System.Security.Cryptography;
using Gateway.Codec.Json;
using Microsoft.AspNetCore.Http;
using StatusCodes = Microsoft.AspNetCore.Http.StatusCodes;
using UaStatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Answers;

/// <summary>The body of one response, in a pooled writer. A body larger than a slice is sent piece by piece at the
/// client's pace; a smaller one has a Content-Length. Owner: the handler, which disposes it.</summary>
internal sealed class RestAnswer(HttpContext context, JsonFormat format, string contentType) : IDisposable
{
    public const string Json = "application/json; charset=utf-8";

    private const int TagBytes = 12;

    private readonly AnswerSender _sender = AnswerSender.Of(context);

    public UaJsonWriter Writer { get; } = UaJsonWriter.Rent(format);

    /// <summary>True if the next <see cref="SendPieceAsync"/> waits for the client.</summary>
    public bool IsPieceFull => Writer.Length >= AnswerSender.SliceBytes;

    /// <summary>Called between two entries: sends a full slice.</summary>
    public ValueTask SendPieceAsync() => IsPieceFull ? SendAsync() : default;

    /// <summary>Sends the rest. If a value cannot be written, the connection ends if a part of the response was sent;
    /// otherwise the client gets an error.</summary>
    public async Task EndAsync()
    {
        if (!context.Response.HasStarted && !Writer.Failed)
        {
            Head();
            context.Response.ContentLength = Writer.WrittenSpan.Length;
        }

        await SendAsync().ConfigureAwait(false);
    }

    /// <summary>Replaces <see cref="EndAsync"/> for a response that rarely changes: 304 without a body if the client
    /// has it.</summary>
    public Task EndTaggedAsync()
    {
        if (Writer.Failed)
            return EndAsync();
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Writer.WrittenSpan, hash);
        var tag = $"\"{Convert.ToHexStringLower(hash[..TagBytes])}\"";
        context.Response.Headers.ETag = tag;
        context.Response.Headers.CacheControl = "private, no-cache";
        context.Response.Headers.Vary = "Authorization, Accept-Language";
        if (!EntityTag.IsKnown(context.Request, tag))
            return EndAsync();
        context.Response.StatusCode = StatusCodes.Status304NotModified;
        return Task.CompletedTask;
    }

    public void Dispose() => Writer.Return();

    private void Head()
    {
        var response = context.Response;
        response.ContentType = contentType;
        response.Headers.XContentTypeOptions = "nosniff";
        if (response.Headers.CacheControl.Count == 0)
            response.Headers.CacheControl = "no-store";
    }

    private async ValueTask SendAsync()
    {
        // Not the writer's status, which also means a request that is too large.
        if (Writer.Failed)
            await AnswerSender.RefuseAsync(context, UaStatusCodes.BadResponseTooLarge).ConfigureAwait(false);
        if (!context.Response.HasStarted)
            Head();
        await _sender.SendAsync(context, Writer.WrittenMemory, context.RequestAborted).ConfigureAwait(false);
        Writer.Forget();
    }
}
