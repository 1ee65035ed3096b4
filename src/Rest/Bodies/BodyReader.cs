using System.Globalization;
using Gateway.Admission.Clients;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Rest.Budgets;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Net.Http.Headers;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Bodies;

/// <summary>Reads a JSON body whole, at the client's pace, but within HttpRequestTimeout. The web server bounds its
/// size and its rate; all bodies together are bounded here (R04). Thread-safe.</summary>
internal sealed class BodyReader(RestLimits limits, TimeProvider time)
{
    private const int FirstBytes = 4 * 1024;
    private const string Json = "application/json";

    private readonly ByteBudget _budget = new(limits.MaxHttpBodiesBytes);

    public long HeldBytes => _budget.Held;

    /// <summary>Bodies that there was no memory for.</summary>
    public long Refused => _budget.Refused;

    /// <summary>Null: a problem was answered. The caller gives the body back by <see cref="Return"/>.</summary>
    public async ValueTask<RequestBody?> ReadAsync(HttpContext context)
    {
        if (!IsJson(context.Request.ContentType))
        {
            await Problem.WriteAsync(
                context, StatusCodes.BadDataEncodingUnsupported,
                "expected Content-Type: application/json in UTF-8").ConfigureAwait(false);
            return null;
        }

        var isCompressed = CompressedBody.Is(context.Request.Headers.ContentEncoding);
        if ((isCompressed ? CompressedBody.Open(context.Request) : context.Request.Body) is not { } source)
        {
            context.Response.Headers.AcceptEncoding = CompressedBody.Known;
            await Problem.WriteAsync(
                context, StatusCodes.BadDataEncodingUnsupported,
                "expected no Content-Encoding, or gzip, br or deflate").ConfigureAwait(false);
            return null;
        }

        var body = new RequestBody(AddressKey.Of(context.Connection.RemoteIpAddress));
        StatusCode status;
        try
        {
            status = await ReadAsync(context, source, body).ConfigureAwait(false);
        }
        catch
        {
            Return(body);
            throw;
        }
        finally
        {
            if (isCompressed)
                await source.DisposeAsync().ConfigureAwait(false);
        }

        if (!status.IsBad)
            return body;
        Return(body);
        // Too large, too slow or cut off: the gateway does not wait for the rest.
        if (status.CodeBits != StatusCodes.BadOutOfMemory)
            context.Response.Headers.Connection = "close";
        await Problem.WriteAsync(context, status, ExpectedOf(context, status)).ConfigureAwait(false);
        return null;
    }

    public void Return(RequestBody body)
    {
        _budget.Return(body.Address, body.CountedBytes);
        body.CountedBytes = 0;
        body.Buffer.Dispose();
    }

    private string ExpectedOf(HttpContext context, StatusCode status) => status.CodeBits switch
    {
        StatusCodes.BadRequestTooLarge => string.Create(
            CultureInfo.InvariantCulture, $"expected at most {MostOf(context)} bytes (MaxHttpBodyBytes)"),
        StatusCodes.BadRequestTimeout => string.Create(
            CultureInfo.InvariantCulture,
            $"expected all of it within {limits.HttpRequestTimeout} (HttpRequestTimeout), at MinHttpBytesPerSecond"),
        StatusCodes.BadOutOfMemory => "there are too many bodies at this moment (MaxHttpBodiesBytes)",
        _ => "expected as many bytes as Content-Length says, compressed as Content-Encoding says",
    };

    /// <summary>Of a body, also of what it becomes.</summary>
    private static long MostOf(HttpContext context) =>
        context.Features.Get<IHttpMaxRequestBodySizeFeature>()?.MaxRequestBodySize ?? long.MaxValue;

    private static bool IsJson(string? type) =>
        type == Json || (MediaTypeHeaderValue.TryParse(type, out var media) &&
        media.MediaType.Equals(Json, StringComparison.OrdinalIgnoreCase) &&
        (!media.Charset.HasValue ||
            HeaderUtilities.RemoveQuotes(media.Charset).Equals("utf-8", StringComparison.OrdinalIgnoreCase)));

    /// <summary>Errors: Bad_OutOfMemory if all bodies together would be too large, Bad_RequestTooLarge,
    /// Bad_RequestTimeout, Bad_DecodingError for a body that was cut off.</summary>
    private async ValueTask<StatusCode> ReadAsync(HttpContext context, Stream source, RequestBody body)
    {
        // The web server bounds what comes, not what it becomes (R02).
        var most = MostOf(context);
        // Most bodies are there with their header. The time runs once one is waited for.
        using var ended = new CancellationTokenSource(Timeout.InfiniteTimeSpan, time);
        var gone = default(CancellationTokenRegistration);
        var isWaiting = false;
        var buffer = body.Buffer;
        try
        {
            // Grows before the first read too: an empty buffer would rent an array without counting it.
            for (var isFull = true; !isFull || TryGrow(body); isFull = buffer.FreeSpan.IsEmpty)
            {
                var read = source.ReadAsync(buffer.FreeMemory, ended.Token);
                if (!read.IsCompleted && !isWaiting)
                {
                    isWaiting = true;
                    ended.CancelAfter(limits.HttpRequestTimeout);
                    gone = context.RequestAborted.UnsafeRegister(
                        static ended => ((CancellationTokenSource)ended!).Cancel(), ended);
                }

                var count = await read.ConfigureAwait(false);
                if (count == 0)
                    return StatusCode.Good;
                buffer.Advance(count);
                if (buffer.Length > most)
                    return StatusCodes.BadRequestTooLarge;
            }

            return StatusCodes.BadOutOfMemory;
        }
        catch (OperationCanceledException) when (
            ended.IsCancellationRequested && !context.RequestAborted.IsCancellationRequested)
        {
            return StatusCodes.BadRequestTimeout;
        }
        catch (Exception error) when (error is InvalidDataException or InvalidOperationException)
        {
            // Not what its Content-Encoding says.
            return StatusCodes.BadDecodingError;
        }
        catch (BadHttpRequestException error)
        {
            return error.StatusCode switch
            {
                413 => StatusCodes.BadRequestTooLarge,
                408 => StatusCodes.BadRequestTimeout,
                _ => StatusCodes.BadDecodingError,
            };
        }
        finally
        {
            await gone.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Room for more of a body. False: all bodies together would be too large.</summary>
    public bool TryGrow(RequestBody body)
    {
        var before = body.Buffer.CapacityBytes;
        body.Buffer.TryGrow(0, Math.Max(FirstBytes, body.Buffer.Length));
        var more = body.Buffer.CapacityBytes - before;
        if (!_budget.TryTake(body.Address, more))
            return false;
        body.CountedBytes += more;
        return true;
    }
}
