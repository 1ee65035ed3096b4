using System.Globalization;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Services;

/// <summary>The response to one request, from its bytes to the last byte that the client has taken. It counts in the
/// budget of unsent output (R04); above the budget the largest one is dropped. Owner: the endpoint.</summary>
internal sealed class ServiceExchange(HttpContext context, JsonFormat format, MemoryBudget memory, TimeProvider time)
    : IMemoryHolder, IDisposable
{
    private readonly Lock _lock = new();
    private readonly UaJsonWriter _writer = UaJsonWriter.Rent(format, secret: true);
    private ResponseHeader _header;
    private int _http;
    private long _held;
    private volatile bool _isEnding;
    private bool _isOver;

    public long HeldBytes => Volatile.Read(ref _held);

    public bool IsEnding => _isEnding;

    /// <summary>All that it is made of.</summary>
    public void Hold(long bytes)
    {
        var before = HeldBytes;
        Volatile.Write(ref _held, bytes);
        memory.Change(this, before, bytes);
    }

    /// <summary>A response or a ServiceFault of the server. Errors: Bad_ResponseTooLarge, as a ServiceFault.</summary>
    public void Answer(ServiceRoute route, uint requestHandle, ReadOnlySpan<byte> message)
    {
        if (route.Write(message, _writer) is { } header && !_writer.Failed)
            (_header, _http) = (header, HttpStatus.Status200OK);
        else
            Fault(StatusCodes.BadResponseTooLarge, requestHandle);
        Hold(HeldBytes + _writer.Length);
    }

    /// <summary>A ServiceFault that no service has made.</summary>
    /// <param name="result">Bad.</param>
    /// <param name="requestHandle">Where it is known.</param>
    /// <param name="problem">In words, harmless; null: the StatusCode says it all.</param>
    /// <param name="http">0: as it follows from the result.</param>
    public void Fault(StatusCode result, uint requestHandle = 0, string? problem = null, int http = 0)
    {
        _header = new ResponseHeader
        {
            Timestamp = time.GetUtcNow().UtcDateTime,
            RequestHandle = requestHandle,
            ServiceResult = result,
            ServiceDiagnostics = problem is null ? null : new DiagnosticInfo { AdditionalInfo = problem },
        };
        _http = http != 0 ? http : FaultStatus.Of(result);
        _writer.Reset();
        ServiceRoute.WriteFault(_header, _writer);
    }

    /// <summary>At the client's pace (R10). Errors: <see cref="AnswerEndedException"/>;
    /// OperationCanceledException.</summary>
    public async Task SendAsync(AnswerSender sender)
    {
        var response = context.Response;
        response.StatusCode = _http;
        if (FaultStatus.RetryAfterSecondsOf(_header) is { } seconds)
            response.Headers.RetryAfter = seconds.ToString(CultureInfo.InvariantCulture);
        response.ContentType = EncodingChoice.ContentTypeOf(format.Encoding);
        response.Headers.CacheControl = "no-store";
        response.Headers.XContentTypeOptions = "nosniff";
        var text = _writer.WrittenMemory;
        response.ContentLength = text.Length;
        Hold(text.Length);
        await sender.WriteAsync(context, text, context.RequestAborted).ConfigureAwait(false);
    }

    public void ReleaseForBudget()
    {
        _isEnding = true;
        ThreadPool.UnsafeQueueUserWorkItem(static self => self.GiveUp(), this, preferLocal: false);
    }

    public void Dispose()
    {
        lock (_lock)
            _isOver = true;
        Hold(0);
        _writer.Return();
    }

    /// <summary>Not behind its end: the server uses the context for the connection's next request.</summary>
    internal void GiveUp()
    {
        lock (_lock)
        {
            if (!_isOver)
                context.Abort();
        }
    }
}
