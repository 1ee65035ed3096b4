using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Rest.Budgets;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using StatusCode = Gateway.Codec.Types.StatusCode;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Answers;

/// <summary>Sends answers and events at the client's pace, in slices, so that the web server never holds more than a
/// few of them. A client that makes room for none within WriteDeadline has its connection ended (R10). Texts that are
/// longer than usual count together as long as they wait (R04). Threads: any.</summary>
internal sealed class AnswerSender(RestLimits limits, TransportLimits transport, TimeProvider time)
{
    public const int SliceBytes = 32 * 1024;

    /// <summary>Shorter texts are bounded by the number of connections.</summary>
    public const int FreeBytes = 2 * SliceBytes;

    private long _late;

    /// <summary>Of answers on their way: their texts, and what sources answered for them.</summary>
    public ByteBudget Budget { get; } = new(limits.MaxHttpAnswersBytes);

    public long HeldBytes => Budget.Held;

    /// <summary>Answers and events that there was no memory for.</summary>
    public long Refused => Budget.Refused;

    /// <summary>Connections that were ended because their client took nothing; see <see cref="HttpDoor.Late"/>, too.
    /// </summary>
    public long Late => Volatile.Read(ref _late);

    /// <summary>For the buffers of one answer.</summary>
    public Holding Hold(HttpContext context) =>
        new(Budget, AddressKey.Of(context.Connection.RemoteIpAddress), IsShared(context));

    /// <summary>The request's connection has others under way, so that all that they hold counts.</summary>
    public static bool IsShared(HttpContext context) =>
        HttpProtocol.IsHttp2(context.Request.Protocol) && context.Features.Get<HttpPlace>() is { IsShared: true };

    /// <summary>That of the request's host.</summary>
    public static AnswerSender Of(HttpContext context) => context.Features.GetRequiredFeature<AnswerSender>();

    /// <summary>Errors: <see cref="AnswerEndedException"/>; OperationCanceledException.</summary>
    /// <param name="context">The request's context.</param>
    /// <param name="text">Must not change until this ends.</param>
    /// <param name="cancellationToken">The client has gone.</param>
    public ValueTask SendAsync(
        HttpContext context, ReadOnlyMemory<byte> text, CancellationToken cancellationToken) =>
        text.Length <= FreeBytes && !IsShared(context)
            ? WriteAsync(context, text, cancellationToken)
            : SendCountedAsync(context, text, cancellationToken);

    /// <summary>For a text in a buffer that counts by itself where it is larger than usual. Errors: as above.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="text">Not changed until this ends.</param>
    /// <param name="memory">Of the answer's buffers.</param>
    /// <param name="capacityBytes">Of the text's buffer.</param>
    /// <param name="cancellationToken">The client has gone.</param>
    public ValueTask SendAsync(
        HttpContext context, ReadOnlyMemory<byte> text, Holding memory, int capacityBytes,
        CancellationToken cancellationToken) =>
        text.Length > FreeBytes && memory.Bytes == 0
            ? SendCountedAsync(context, text, memory, capacityBytes, cancellationToken)
            : WriteAsync(context, text, cancellationToken);

    /// <summary>At the client's pace, for a text that counts elsewhere. Errors: <see cref="AnswerEndedException"/>;
    /// OperationCanceledException.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="text">Not changed until this ends.</param>
    /// <param name="cancellationToken">The client has gone.</param>
    public ValueTask WriteAsync(
        HttpContext context, ReadOnlyMemory<byte> text, CancellationToken cancellationToken)
    {
        while (text.Length > 0)
        {
            var slice = text[..Math.Min(text.Length, SliceBytes)];
            text = text[slice.Length..];
            var write = context.Response.Body.WriteAsync(slice, cancellationToken);
            if (!write.IsCompletedSuccessfully)
                return WriteRestAsync(context, write.AsTask(), text, cancellationToken);
            write.GetAwaiter().GetResult();
        }

        return default;
    }

    /// <summary>A problem in the answer's place; where some of it has left, the end of the connection.</summary>
    public static async Task RefuseAsync(HttpContext context, StatusCode status)
    {
        if (context.Response.HasStarted)
        {
            context.Abort();
        }
        else
        {
            AnswerStart.Over(context.Response);
            await Problem.WriteAsync(context, status).ConfigureAwait(false);
        }

        throw new AnswerEndedException();
    }

    /// <summary>An answer was late. Of a connection that the transport has ended the door counts it; with HTTP/2 the
    /// connection may go on, and each counts.</summary>
    public void CountLate(HttpPlace? place)
    {
        if (place?.TrySetLate() != false || !place.TookNothing)
            Interlocked.Increment(ref _late);
    }

    /// <summary>Waits for the peer to take what is written. False: it took nothing until WriteDeadline. The connection
    /// has the same deadline, and may be the first to end it. Errors: those of the write.</summary>
    public async Task<bool> IsTakenAsync(Task write, HttpPlace? place)
    {
        try
        {
            await write.WaitAsync(transport.WriteDeadline, time).ConfigureAwait(false);
            return place is not { TookNothing: true };
        }
        catch (Exception error) when (error is TimeoutException || place is { TookNothing: true })
        {
            return false;
        }
    }

    private async ValueTask SendCountedAsync(
        HttpContext context, ReadOnlyMemory<byte> text, CancellationToken cancellationToken)
    {
        var address = AddressKey.Of(context.Connection.RemoteIpAddress);
        if (!Budget.TryTake(address, text.Length))
            await RefuseAsync(context, StatusCodes.BadOutOfMemory).ConfigureAwait(false);
        try
        {
            await WriteAsync(context, text, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Budget.Return(address, text.Length);
        }
    }

    private async ValueTask SendCountedAsync(
        HttpContext context, ReadOnlyMemory<byte> text, Holding memory, int capacityBytes,
        CancellationToken cancellationToken)
    {
        if (!memory.TryAdd(capacityBytes))
            await RefuseAsync(context, StatusCodes.BadOutOfMemory).ConfigureAwait(false);
        await WriteAsync(context, text, cancellationToken).ConfigureAwait(false);
        memory.Remove(capacityBytes);
    }

    private async ValueTask WriteRestAsync(
        HttpContext context, Task write, ReadOnlyMemory<byte> rest, CancellationToken cancellationToken)
    {
        await WaitAsync(context, write).ConfigureAwait(false);
        await WriteAsync(context, rest, cancellationToken).ConfigureAwait(false);
    }

    private async Task WaitAsync(HttpContext context, Task write)
    {
        var place = context.Features.Get<HttpPlace>();
        if (await IsTakenAsync(write, place).ConfigureAwait(false))
            return;
        CountLate(place);
        context.Abort();
        // The web server ends it with the connection.
        await write.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        throw new AnswerEndedException();
    }
}
