using Gateway.Sources.Modbus.Protocol;

namespace Gateway.Sources.Modbus.Connections;

/// <summary>
/// One connection with a device: one request at a time, because many devices take no more. An answer that comes after
/// its time is left out by its transaction; any other answer that was not asked for ends the connection, and so do
/// <see cref="MaxTimeouts"/> requests in a row without one. Owner: the connector, which disposes it. Threads: any may
/// ask. State: under <see cref="_turn"/>.
/// </summary>
internal sealed class ModbusConnection : IAsyncDisposable
{
    /// <summary>A unit behind a gateway may be off; a device that says nothing at all has to be connected anew.
    /// </summary>
    public const int MaxTimeouts = 3;

    /// <summary>So many late answers are still known.</summary>
    private const int MaxExpired = 8;

    private const byte RefusalBit = 0x80;

    private readonly Stream _stream;
    private readonly TimeSpan _timeout;
    private readonly TimeProvider _time;
    private readonly SemaphoreSlim _turn = new(1);
    private readonly Queue<ushort> _expired = new();
    private readonly byte[] _request = new byte[ModbusHeader.MaxFrameBytes];
    private readonly byte[] _received = new byte[ModbusHeader.MaxFrameBytes];
    private readonly TaskCompletionSource<ModbusException> _closed =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private int _filled;
    private ushort _transaction;
    private int _timeouts;
    private bool _isSent;
    private long _lastAnswer;

    /// <param name="stream">Connected; owned from now on.</param>
    /// <param name="timeout">Of one whole answer.</param>
    /// <param name="time">Of that.</param>
    public ModbusConnection(Stream stream, TimeSpan timeout, TimeProvider time)
    {
        (_stream, _timeout, _time) = (stream, timeout, time);
        _lastAnswer = time.GetTimestamp();
    }

    /// <summary>Ends with the reason.</summary>
    public Task<ModbusException> Closed => _closed.Task;

    /// <summary>Since the last answer, also a refusal.</summary>
    public TimeSpan Silence => _time.GetElapsedTime(Volatile.Read(ref _lastAnswer));

    /// <summary>Waits for its turn, sends, and waits for the answer. Errors: <see cref="ModbusException"/>.</summary>
    /// <param name="request">Of a form that the device may refuse.</param>
    /// <param name="cancellation">Of the wait for the turn: a request that was sent is answered, or runs out of time.
    /// </param>
    /// <returns>The answer's PDU: its function is that of the request, and <see cref="ModbusRequest.IsAnsweredBy"/>
    /// holds.</returns>
    public async ValueTask<byte[]> AskAsync(ModbusRequest request, CancellationToken cancellation)
    {
        await _turn.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            if (_closed.Task.IsCompleted)
                throw new ModbusException(ModbusFault.ConnectionLost, "the connection has ended");
            return await ExchangeAsync(request).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        Close(new ModbusException(ModbusFault.ConnectionLost, "the connection was ended"));
        await _stream.DisposeAsync().ConfigureAwait(false);
    }

    private async ValueTask<byte[]> ExchangeAsync(ModbusRequest request)
    {
        using var deadline = new CancellationTokenSource(_timeout, _time);
        _isSent = false;
        _transaction++;
        try
        {
            var length = ModbusHeader.Write(_transaction, request, _request);
            await _stream.WriteAsync(_request.AsMemory(0, length), deadline.Token).ConfigureAwait(false);
            _isSent = true;
            var answer = await ReceiveAsync(request, deadline.Token).ConfigureAwait(false);
            Answered();
            return answer;
        }
        catch (OperationCanceledException)
        {
            throw OnTimeout();
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException)
        {
            throw Close(new ModbusException(ModbusFault.ConnectionLost, error.Message));
        }
        catch (ModbusException error) when (error.Fault == ModbusFault.Refused)
        {
            Answered();
            throw;
        }
        catch (ModbusException error)
        {
            throw Close(error);
        }
    }

    private void Answered()
    {
        _timeouts = 0;
        Volatile.Write(ref _lastAnswer, _time.GetTimestamp());
    }

    /// <summary>The rest of an answer that has begun is left out later; the rest of a request cannot be sent later.
    /// </summary>
    private ModbusException OnTimeout()
    {
        var error = new ModbusException(
            ModbusFault.Timeout, $"no answer within {_timeout.TotalMilliseconds:0} ms");
        if (!_isSent || ++_timeouts >= MaxTimeouts)
            return Close(error);
        if (_expired.Count == MaxExpired)
            _expired.Dequeue();
        _expired.Enqueue(_transaction);
        return error;
    }

    private async ValueTask<byte[]> ReceiveAsync(ModbusRequest request, CancellationToken deadline)
    {
        while (true)
        {
            await FillAsync(ModbusHeader.Bytes, deadline).ConfigureAwait(false);
            var header = ModbusHeader.Read(_received);
            if (!header.IsValid)
                throw Garbage($"a frame of protocol {header.Protocol} with {header.Length} bytes");
            var end = ModbusHeader.Bytes + header.Length;
            await FillAsync(end, deadline).ConfigureAwait(false);
            var (unit, pdu) = (_received[ModbusHeader.Bytes], _received[(ModbusHeader.Bytes + 1)..end]);
            _received.AsSpan(end, _filled - end).CopyTo(_received);
            _filled -= end;
            if (header.Transaction == _transaction)
                return Checked(request, unit, pdu);
            if (!TryForget(header.Transaction))
                throw Garbage($"transaction {header.Transaction} for {_transaction}");
        }
    }

    private static byte[] Checked(ModbusRequest request, byte unit, byte[] pdu)
    {
        if (unit != request.Unit)
            throw Garbage($"unit {unit} for {request.Unit}");
        if (pdu[0] == ((byte)request.Function | RefusalBit) && pdu.Length == 2)
            throw ModbusException.Refusal(pdu[1]);
        if (pdu[0] != (byte)request.Function)
            throw Garbage($"function {pdu[0]} for {(byte)request.Function}");
        return request.IsAnsweredBy(pdu)
            ? pdu
            : throw Garbage($"{pdu.Length} bytes that do not fit function {pdu[0]}");
    }

    private bool TryForget(ushort transaction)
    {
        if (!_expired.Contains(transaction))
            return false;
        while (_expired.Dequeue() != transaction)
        {
            // Answers come in order: those before it do not come any more.
        }

        return true;
    }

    private async ValueTask FillAsync(int bytes, CancellationToken deadline)
    {
        while (_filled < bytes)
        {
            var read = await _stream.ReadAsync(_received.AsMemory(_filled), deadline).ConfigureAwait(false);
            if (read == 0)
                throw new ModbusException(ModbusFault.ConnectionLost, "the device closed the connection");
            _filled += read;
        }
    }

    private static ModbusException Garbage(string what) =>
        new(ModbusFault.Garbage, $"its answer is not Modbus TCP, or none to the request: {what}");

    private ModbusException Close(ModbusException why)
    {
        if (_closed.TrySetResult(why))
            _stream.Close();
        return why;
    }
}
