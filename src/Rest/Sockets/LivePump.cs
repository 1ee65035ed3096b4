using Gateway.Codec.Types;
using Gateway.Publish.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>Sends the batches of one stream over a WebSocket. A batch is given back when the client has taken it: as
/// long as it has not, newer values replace older ones in the engine. Threads: <see cref="RunAsync"/> is one flow;
/// <see cref="Leave"/> any.</summary>
internal sealed class LivePump(SocketConnection connection, ValueStream values, ILiveTexts texts)
{
    private volatile bool _isLeft;

    /// <summary>Until the stream is closed or the client has gone.</summary>
    public async Task RunAsync()
    {
        try
        {
            await SendBatchesAsync().ConfigureAwait(false);
            if (!_isLeft)
                await connection.EndAsync(EndOf(values.Status)).ConfigureAwait(false);
        }
        catch (Exception error) when (SocketFaults.IsOfPeer(error))
        {
            // The receiver learns of it, too.
        }
#pragma warning disable CA1031 // A fault of ours ends this connection alone; the receiver reports it.
        catch (Exception)
#pragma warning restore CA1031
        {
            await connection.EndAsync(SocketEnd.Failed).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>The client does not want it any more: the end of the stream does not end the connection. Called in the
    /// sender's turn, it lets no batch come behind that.</summary>
    public void Leave() => _isLeft = true;

    private static SocketEnd EndOf(StatusCode status) =>
        status.CodeBits is StatusCodes.BadShutdown or StatusCodes.BadServerHalted
            ? SocketEnd.Shutdown
            : SocketEnd.StreamClosed;

    private async Task SendBatchesAsync()
    {
        var batches = values.Batches;
        using var held = texts;
        while (await batches.WaitToReadAsync(connection.Gone).ConfigureAwait(false))
        {
            while (batches.TryRead(out var batch))
            {
                using (batch)
                    await SendAsync(batch).ConfigureAwait(false);
            }

            texts.Dispose();
        }
    }

    private async ValueTask SendAsync(StreamBatch batch)
    {
        for (var next = 0; next < batch.Count && !_isLeft;)
        {
            await connection.EnterAsync().ConfigureAwait(false);
            try
            {
                if (!_isLeft && texts.Write(batch, ref next))
                    await connection.SendInTurnAsync(texts.Text).ConfigureAwait(false);
            }
            finally
            {
                connection.Leave();
            }
        }
    }
}
