using System.Globalization;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Services;

/// <summary>One request and its answer, from the message to the last byte that the client has taken: first the message
/// counts in the budget of waiting requests and unsent answers (R04), then what the answer is made of. Where the budget
/// is spent, the largest is given up. Owner: the endpoint. Threads: the message any; the rest one at a time.</summary>
internal sealed class ServiceExchange(
    HttpContext context, JsonFormat format, MemoryBudget memory, TimeProvider time,
    ServiceForm form = ServiceForm.Bare)
    : IMemoryHolder, IBufferMeter, IDisposable
{
    /// <summary>A smaller message is bounded by the number of connections, where one carries one request.</summary>
    private const int FreeMessageBytes = 32 * 1024;

    private readonly Lock _lock = new();
    private readonly bool _countsAll = form != ServiceForm.Bare || AnswerSender.IsShared(context);
    private UaJsonWriter? _rented;
    private ResponseHeader _header;
    private int _http;
    private long _message;
    private long _answer;
    private long _text;
    private long _held;
    private volatile bool _isEnding;
    private bool _isOver;

    public HttpContext Context => context;

    /// <summary>The text, where it is no answer of HTTP.</summary>
    public ReadOnlyMemory<byte> Text => Writer.WrittenMemory;

    public long HeldBytes => Volatile.Read(ref _held);

    public bool IsEnding => _isEnding;

    /// <summary>None while the request waits: a thread's writer is for one that writes.</summary>
    private UaJsonWriter Writer => _rented ??= UaJsonWriter.Rent(format, secret: true, meter: this);

    /// <summary>The request's message, while it waits to be handled.</summary>
    public void HoldMessage(long bytes) =>
        Hold(ref _message, _countsAll || bytes > FreeMessageBytes ? bytes : 0);

    /// <summary>The message that the answer is made of.</summary>
    public void HoldAnswer(long bytes) => Hold(ref _answer, bytes);

    /// <summary>The text of the answer. False: the exchange is being given up.</summary>
    public bool TryChange(int before, int after)
    {
        Hold(ref _text, after);
        return after <= before || !_isEnding;
    }

    /// <summary>A response or a ServiceFault of the server. Errors: Bad_ResponseTooLarge, as a ServiceFault.</summary>
    public void Answer(ServiceRoute route, uint requestHandle, ReadOnlySpan<byte> message)
    {
        if (route.Write(message, Writer, form) is { } header && !Writer.Failed)
            (_header, _http) = (header, HttpStatus.Status200OK);
        else
            Fault(StatusCodes.BadResponseTooLarge, requestHandle);
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
        Writer.Reset();
        ServiceRoute.WriteFault(_header, Writer, form);
    }

    /// <summary>At the client's pace (R10). Errors: <see cref="AnswerEndedException"/>;
    /// OperationCanceledException.</summary>
    public async Task SendAsync(AnswerSender sender)
    {
        var response = context.Response;
        response.StatusCode = _http;
        if (FaultStatus.RetryAfterSecondsOf(_header) is { } seconds)
            response.Headers.RetryAfter = seconds.ToString(CultureInfo.InvariantCulture);
        // A user's token has expired, or his certificate was taken away, while he waited. Source: RFC 9110 §15.5.2.
        if (_http == HttpStatus.Status401Unauthorized)
            response.Headers.WWWAuthenticate = "Bearer realm=\"gateway\", error=\"invalid_token\"";
        response.ContentType = EncodingChoice.ContentTypeOf(format.Encoding);
        response.Headers.CacheControl = "no-store";
        var text = Writer.WrittenMemory;
        response.ContentLength = text.Length;
        HoldAnswer(0);
        // Also a writer's usual buffer.
        Hold(ref _text, Writer.CapacityBytes);
        await sender.WriteAsync(context, text, context.RequestAborted).ConfigureAwait(false);
    }

    public void ReleaseForBudget()
    {
        _isEnding = true;
        memory.CountRefused(1);
        ThreadPool.UnsafeQueueUserWorkItem(static self => self.GiveUp(), this, preferLocal: false);
    }

    public void Dispose()
    {
        _rented?.Return();
        _rented = null;
        long before;
        lock (_lock)
        {
            (_isOver, before) = (true, _held);
            Volatile.Write(ref _held, 0);
        }

        memory.Change(this, before, 0);
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

    private void Hold(ref long part, long bytes)
    {
        long before;
        long now;
        lock (_lock)
        {
            // A worker may tell late that it is through with the message.
            if (_isOver)
                return;
            part = bytes;
            (before, now) = (_held, _message + _answer + _text);
            Volatile.Write(ref _held, now);
        }

        memory.Change(this, before, now);
    }
}
