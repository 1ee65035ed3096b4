using System.Security.Cryptography;
using Gateway.Publish.Streams;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Streams;

/// <summary>One client's connection to a stream. A batch is given back when the client has taken it: as long as it has
/// not, newer values replace older ones in the queues of the engine. Owner: the request.</summary>
internal sealed class StreamConnection(
    HttpContext context, LiveStream stream, EncodedValues encoded, AnswerSender sender, TimeSpan heartbeat,
    TimeProvider time, CancellationToken callerEnd, CancellationToken cancellationToken)
{
    private const int MinRetryMs = 1000;
    private const int MaxRetryMs = 3000;

    private readonly EventWriter _writer = new(stream, encoded);

    /// <summary>Until the client has gone, another connection has come, the stream is closed, or its caller's time is
    /// over: then the last event says so.</summary>
    /// <param name="behind">The last event that the client has; null: it gets all values.</param>
    /// <param name="comesBack">It had events of a stream before.</param>
    public async Task RunAsync(long? behind, bool comesBack)
    {
        // Not all at once: after a restart, every client comes back.
        await SendAsync(EventWriter.RetryAfter(RandomNumberGenerator.GetInt32(MinRetryMs, MaxRetryMs)))
            .ConfigureAwait(false);
        if (behind is { } number && stream.History.TryGetBehind(number, out var missed))
        {
            foreach (var text in missed)
                await SendAsync(text).ConfigureAwait(false);
        }
        else if (stream.Form is { } form)
        {
            // A new stream has begun its refresh by itself.
            if (form.HasAlarms && stream.History.Last > 0)
                stream.Values.RefreshConditions();
            if (comesBack)
                await SendAndKeepAsync(_writer.WriteLost()).ConfigureAwait(false);
        }
        else
        {
            if (stream.History.Last > 0)
                stream.Values.Resend();
            if (stream.Refused.Count > 0)
                await SendAndKeepAsync(_writer.WriteRefused()).ConfigureAwait(false);
        }

        var batches = stream.Values.Batches;
        while (!callerEnd.IsCancellationRequested &&
            await WaitAsync(batches.WaitToReadAsync(cancellationToken)).ConfigureAwait(false))
        {
            while (!callerEnd.IsCancellationRequested && batches.TryRead(out var batch))
            {
                using (batch)
                    await SendAsync(batch).ConfigureAwait(false);
            }
        }

        if (callerEnd.IsCancellationRequested)
            await SendAsync(EventWriter.End(
                StatusCodes.BadIdentityTokenRejected, CallerTime.SentenceOf(stream.Owner))).ConfigureAwait(false);
    }

    /// <summary>With a comment now and then, so that proxies and browsers keep the connection. False: the stream is
    /// closed, or the caller's time is over.</summary>
    private async ValueTask<bool> WaitAsync(ValueTask<bool> read)
    {
        if (read.IsCompleted)
            return await read.ConfigureAwait(false);
        var task = read.AsTask();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(callerEnd, cancellationToken);
        while (true)
        {
            try
            {
                return await task.WaitAsync(heartbeat, time, either.Token).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                await SendAsync(EventWriter.Heartbeat).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (
                callerEnd.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
            {
                return false;
            }
        }
    }

    private async ValueTask SendAsync(StreamBatch batch)
    {
        var next = 0;
        try
        {
            while (next < batch.Count)
            {
                if (_writer.Write(batch, ref next) is { IsEmpty: false } text)
                    await SendAndKeepAsync(text).ConfigureAwait(false);
            }
        }
        finally
        {
            // The client went in the middle: it finds the rest when it comes back.
            while (next < batch.Count)
            {
                if (_writer.Write(batch, ref next) is { IsEmpty: false } text)
                    stream.History.Add(text.Span);
            }
        }
    }

    private ValueTask SendAndKeepAsync(ReadOnlyMemory<byte> text)
    {
        stream.History.Add(text.Span);
        return SendAsync(text);
    }

    private async ValueTask SendAsync(ReadOnlyMemory<byte> text)
    {
        await sender.SendAsync(context, text, cancellationToken).ConfigureAwait(false);
        await context.Response.Body.FlushAsync(cancellationToken).ConfigureAwait(false);
    }
}
