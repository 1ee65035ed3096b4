using System.Security.Cryptography;
using Gateway.Codec.Json;
using Gateway.Rest.Budgets;
using Microsoft.AspNetCore.Http;
using StatusCodes = Microsoft.AspNetCore.Http.StatusCodes;
using UaStatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Answers;

/// <summary>The body of one response, in a pooled writer. A body larger than a slice is sent piece by piece at the
/// client's pace; a smaller one has a Content-Length. The memory of a large one counts before it is rented. Owner: the
/// handler, which disposes it.</summary>
internal sealed class RestAnswer : IDisposable
{
    public const string Json = "application/json; charset=utf-8";

    private const int TagBytes = 12;

    private readonly HttpContext _context;
    private readonly string _contentType;
    private readonly AnswerSender _sender;
    private readonly Holding _memory;

    public RestAnswer(HttpContext context, JsonFormat format, string contentType)
    {
        (_context, _contentType, _sender) = (context, contentType, AnswerSender.Of(context));
        _memory = _sender.Hold(context);
        Writer = UaJsonWriter.Rent(format, meter: _memory);
    }

    public UaJsonWriter Writer { get; }

    public bool IsPieceFull => Writer.Length >= AnswerSender.SliceBytes;

    /// <summary>Called between two entries: sends a full slice.</summary>
    public ValueTask SendPieceAsync() => IsPieceFull ? SendAsync() : default;

    /// <summary>Sends the rest. If a value cannot be written, the connection ends if a part of the response was sent;
    /// otherwise the client gets an error.</summary>
    public Task EndAsync()
    {
        if (!_context.Response.HasStarted && !Writer.Failed)
        {
            Head();
            _context.Response.ContentLength = Writer.WrittenSpan.Length;
        }

        return SendAsync().AsTask();
    }

    /// <summary>Replaces <see cref="EndAsync"/> for a response that rarely changes: 304 without a body if the client
    /// has it. One of which a piece has left has no tag.</summary>
    public Task EndTaggedAsync()
    {
        if (Writer.Failed || _context.Response.HasStarted)
            return EndAsync();
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Writer.WrittenSpan, hash);
        var tag = $"\"{Convert.ToHexStringLower(hash[..TagBytes])}\"";
        _context.Response.Headers.ETag = tag;
        _context.Response.Headers.CacheControl = "private, no-cache";
        _context.Response.Headers.Vary = "Authorization, Accept-Language";
        if (!EntityTag.IsKnown(_context.Request, tag))
            return EndAsync();
        _context.Response.StatusCode = StatusCodes.Status304NotModified;
        return Task.CompletedTask;
    }

    public void Dispose()
    {
        Writer.Return();
        _memory.Dispose();
    }

    private void Head()
    {
        var response = _context.Response;
        response.ContentType = _contentType;
        if (response.Headers.CacheControl.Count == 0)
            response.Headers.CacheControl = "no-store";
    }

    private ValueTask SendAsync()
    {
        // Not the writer's other status, which also means a request that is too large.
        if (Writer.Failed)
            return new(AnswerSender.RefuseAsync(
                _context, Writer.Status.CodeBits == UaStatusCodes.BadOutOfMemory
                    ? UaStatusCodes.BadOutOfMemory
                    : UaStatusCodes.BadResponseTooLarge));
        if (!_context.Response.HasStarted)
            Head();
        var sent = _sender.SendAsync(
            _context, Writer.WrittenMemory, _memory, Writer.CapacityBytes, _context.RequestAborted);
        if (!sent.IsCompletedSuccessfully)
            return ForgetAfterAsync(sent);
        Writer.Forget();
        return default;
    }

    private async ValueTask ForgetAfterAsync(ValueTask sent)
    {
        await sent.ConfigureAwait(false);
        Writer.Forget();
    }
}
