using Gateway.Codec.Pooling;
using Gateway.Rest.Answers;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Bodies;

/// <summary>Reads a JSON body whole, at the client's pace. The web server bounds its size and its rate; all bodies
/// together are bounded here (R04). Thread-safe.</summary>
internal sealed class BodyReader(RestLimits limits)
{
    private const int FirstBytes = 4 * 1024;
    private const int TooLarge = 413;
    private const int UnsupportedMediaType = 415;

    private long _heldBytes;
    private long _refused;

    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>Bodies that there was no memory for.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Null: a problem was answered. The caller gives the body back by <see cref="Return"/>.</summary>
    public async ValueTask<PooledBuffer?> ReadAsync(HttpContext context)
    {
        if (!IsJson(context.Request.ContentType))
        {
            await Problem.WriteAsync(
                context, UnsupportedMediaType, "The body has to be JSON",
                detail: "expected Content-Type: application/json in UTF-8").ConfigureAwait(false);
            return null;
        }

        var body = new PooledBuffer(limitBytes: Array.MaxLength, secret: true);
        try
        {
            if (await TryReadAsync(context, body).ConfigureAwait(false))
                return body;
            Interlocked.Increment(ref _refused);
            await Problem.WriteAsync(context, StatusCodes.BadOutOfMemory).ConfigureAwait(false);
        }
        catch (BadHttpRequestException error)
        {
            // Too large, or too slow: the rest of it is not waited for.
            context.Response.Headers.Connection = "close";
            await Problem.WriteAsync(
                context, error.StatusCode,
                error.StatusCode == TooLarge ? "The body is too large" : "The body did not come in time")
                .ConfigureAwait(false);
        }
        catch
        {
            Return(body);
            throw;
        }

        Return(body);
        return null;
    }

    public void Return(PooledBuffer body)
    {
        Interlocked.Add(ref _heldBytes, -body.CapacityBytes);
        body.Dispose();
    }

    private static bool IsJson(string? type) =>
        MediaTypeHeaderValue.TryParse(type, out var media) &&
        media.MediaType.Equals("application/json", StringComparison.OrdinalIgnoreCase) &&
        (!media.Charset.HasValue || media.Charset.Equals("utf-8", StringComparison.OrdinalIgnoreCase));

    /// <summary>False: all bodies together would be too large.</summary>
    private async ValueTask<bool> TryReadAsync(HttpContext context, PooledBuffer body)
    {
        // From the first on: an empty buffer would rent an array that nobody has counted.
        for (var isFull = true; !isFull || TryGrow(body); isFull = body.FreeSpan.IsEmpty)
        {
            var count = await context.Request.Body.ReadAsync(body.FreeMemory, context.RequestAborted)
                .ConfigureAwait(false);
            if (count == 0)
                return true;
            body.Advance(count);
        }

        return false;
    }

    private bool TryGrow(PooledBuffer body)
    {
        var before = body.CapacityBytes;
        body.TryGrow(0, Math.Max(FirstBytes, body.Length));
        return Interlocked.Add(ref _heldBytes, body.CapacityBytes - before) <= limits.MaxHttpBodiesBytes;
    }
}
