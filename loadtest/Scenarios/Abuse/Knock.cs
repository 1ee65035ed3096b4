using System.Net.Sockets;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>A connection that goes as far as the OPN with recorded bytes and is reset. Threads: any.</summary>
internal sealed class Knock(WireTarget target, RecordedOpening opening, HandshakePoint point)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, long> _refusals = [];
    private int _reached;

    /// <summary>Those that came to the point.</summary>
    public int Reached => Volatile.Read(ref _reached);

    /// <summary>Where an answer is the point: the actual answer.</summary>
    public IReadOnlyDictionary<string, long> Refusals
    {
        get
        {
            lock (_lock)
                return new Dictionary<string, long>(_refusals);
        }
    }

    public async Task RunAsync(int address, TimeSpan patience, CancellationToken cancellation = default)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(patience);
        Socket? socket = null;
        try
        {
            socket = await target.ConnectAsync(address, limit.Token);
            await GoAsync(socket, limit.Token);
        }
        catch (OperationCanceledException)
        {
            Refuse("(the client's patience was over)");
        }
        catch (InvalidDataException error)
        {
            Refuse(error.Message);
        }
        catch (SocketException error)
        {
            Refuse(error.SocketErrorCode.ToString());
        }
        finally
        {
            if (socket is not null)
                WireTarget.Reset(socket);
        }
    }

    private async Task GoAsync(Socket socket, CancellationToken end)
    {
        if (point.Sent > 0 || point.Answered > 0)
            await WireFrame.SendAsync(socket, target.Hello, end);
        if (point.Answered >= 1 || point.Sent >= 2)
        {
            if (await WireFrame.ReadAsync(socket, end) is { Type: not "ACK" } refused)
            {
                Refuse(refused.Refusal());
                return;
            }
        }

        if (point.Answered >= 2 || point.Sent >= 2)
            await WireFrame.SendAsync(socket, opening.Bytes, end);
        if (point.Answered >= 2)
        {
            if (await WireFrame.ReadAsync(socket, end) is { Type: not "OPN" } refused)
            {
                Refuse(refused.Refusal());
                return;
            }
        }

        Interlocked.Increment(ref _reached);
    }

    private void Refuse(string text)
    {
        lock (_lock)
            _refusals[text] = _refusals.GetValueOrDefault(text) + 1;
    }
}
