using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Connections;
using Gateway.Sources.Modbus.Protocol;
using Gateway.Sources.Modbus.Tests.Support;
using Gateway.Testing;

namespace Gateway.Sources.Modbus.Tests.Connections;

/// <summary>Requests and answers by the byte, with a device that the test plays.</summary>
public sealed class ModbusConnectionTests : IAsyncLifetime, IAsyncDisposable
{
    private const int TimeoutMs = 2_000;

    private static readonly ModbusRequest OneRegister = ModbusRequest.Read(
        7, ModbusFunction.ReadHoldingRegisters, 0x1234, 1);

    private readonly ManualTimeProvider _time = new();
    private readonly DeviceEnd _device;
    private readonly ModbusConnection _connection;

    public ModbusConnectionTests()
    {
        var (gateway, device) = DuplexStream.Pair();
        _device = new DeviceEnd(device);
        _connection = new ModbusConnection(gateway, TimeSpan.FromMilliseconds(TimeoutMs), _time);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    Task IAsyncLifetime.DisposeAsync() => DisposeAsync().AsTask();

    public ValueTask DisposeAsync() => _connection.DisposeAsync();

    [Fact]
    public async Task Ask_Read_TheStandardsBytesGoOutAndTheAnswerComesBack()
    {
        var answer = AskAsync();

        Assert.Equal([3, 0x12, 0x34, 0, 1], await _device.ReceiveAsync());
        Assert.Equal(7, _device.Unit);
        await _device.AnswerAsync(3, 2, 0xAB, 0xCD);
        Assert.Equal([3, 2, 0xAB, 0xCD], await answer);
    }

    [Fact]
    public async Task Ask_AnswerSplitAtEveryByte_IsTheSame()
    {
        for (var split = 1; split < 11; split++)
        {
            var answer = AskAsync();
            await _device.ReceiveAsync();
            var frame = DeviceEnd.Frame(_device.Transaction, 7, 3, 2, 0xAB, 0xCD);
            await _device.SendAsync(frame[..split]);
            await _device.SendAsync(frame[split..]);

            Assert.Equal([3, 2, 0xAB, 0xCD], await answer);
        }
    }

    public static TheoryData<string, byte[]> Garbage => new()
    {
        { "another transaction", DeviceEnd.Frame(9, 7, 3, 2, 0, 0) },
        { "another unit", DeviceEnd.Frame(1, 8, 3, 2, 0, 0) },
        { "another function", DeviceEnd.Frame(1, 7, 4, 2, 0, 0) },
        { "too few registers", DeviceEnd.Frame(1, 7, 3, 0) },
        { "too many registers", DeviceEnd.Frame(1, 7, 3, 4, 0, 0, 0, 0) },
        { "a count that lies", DeviceEnd.Frame(1, 7, 3, 200, 0, 0) },
        { "a refusal with more than a code", DeviceEnd.Frame(1, 7, 0x83, 2, 2) },
        { "another protocol", [0, 1, 0, 1, 0, 5, 7, 3, 2, 0, 0] },
        { "no length", [0, 1, 0, 0, 0, 0, 7, 3, 2, 0, 0] },
        { "a short length", [0, 1, 0, 0, 0, 2, 7, 3] },
        { "a long length", [0, 1, 0, 0, 0, 255, 7, 3, 2, 0, 0] },
        { "another protocol altogether", "HTTP/1.1 400 Bad Request"u8.ToArray() },
    };

    [Theory]
    [MemberData(nameof(Garbage))]
    public async Task Ask_Garbage_EndsTheConnectionWithAReason(string what, byte[] bytes)
    {
        var answer = AskAsync();
        await _device.ReceiveAsync();
        await _device.SendAsync(bytes);

        var error = await Assert.ThrowsAsync<ModbusException>(() => answer);
        Assert.True(error.Fault == ModbusFault.Garbage, what);
        Assert.Equal(new StatusCode(StatusCodes.BadUnknownResponse), error.Status);
        Assert.Same(error, await _connection.Closed.WaitAsync(Patience.Limit));
        Assert.Null(await _device.ReceiveAsync());
    }

    [Fact]
    public async Task Ask_AfterTheEnd_FailsAtOnce()
    {
        await _device.CloseAsync();
        await Assert.ThrowsAsync<ModbusException>(AskAsync);

        var error = await Assert.ThrowsAsync<ModbusException>(AskAsync);

        Assert.Equal(ModbusFault.ConnectionLost, error.Fault);
    }

    [Fact]
    public async Task Ask_Refused_TheConnectionStays()
    {
        var refused = AskAsync();
        await _device.ReceiveAsync();
        await _device.AnswerAsync(0x83, 2);
        var error = await Assert.ThrowsAsync<ModbusException>(() => refused);
        var next = AskAsync();
        await _device.ReceiveAsync();
        await _device.AnswerAsync(3, 2, 0, 1);

        Assert.Equal((ModbusFault.Refused, ModbusExceptionCode.IllegalDataAddress), (error.Fault, error.Code));
        Assert.Equal([3, 2, 0, 1], await next);
    }

    /// <summary>The late answer must not be taken for that of the next request.</summary>
    [Fact]
    public async Task Ask_AnswerAfterItsTime_IsLeftOut()
    {
        var late = AskAsync();
        await _device.ReceiveAsync();
        _time.Advance(TimeoutMs);
        var error = await Assert.ThrowsAsync<ModbusException>(() => late);
        await _device.AnswerAsync(3, 2, 0xDE, 0xAD);
        var next = AskAsync();
        await _device.ReceiveAsync();
        await _device.AnswerAsync(3, 2, 0, 1);

        Assert.Equal(ModbusFault.Timeout, error.Fault);
        Assert.Equal([3, 2, 0, 1], await next);
    }

    [Fact]
    public async Task Ask_TheSameLateAnswerTwice_EndsTheConnection()
    {
        var late = AskAsync();
        await _device.ReceiveAsync();
        _time.Advance(TimeoutMs);
        await Assert.ThrowsAsync<ModbusException>(() => late);
        await _device.AnswerAsync(3, 2, 0, 1);
        await _device.AnswerAsync(3, 2, 0, 1);

        var error = await Assert.ThrowsAsync<ModbusException>(AskAsync);

        Assert.Equal(ModbusFault.Garbage, error.Fault);
    }

    [Fact]
    public async Task Ask_NoAnswerThreeTimesInARow_EndsTheConnection()
    {
        for (var i = 1; i <= ModbusConnection.MaxTimeouts; i++)
        {
            Assert.False(_connection.Closed.IsCompleted);
            var answer = AskAsync();
            await _device.ReceiveAsync();
            _time.Advance(TimeoutMs);
            await Assert.ThrowsAsync<ModbusException>(() => answer);
        }

        Assert.Equal(ModbusFault.Timeout, (await _connection.Closed.WaitAsync(Patience.Limit)).Fault);
    }

    /// <summary>The time is that of the whole answer: a byte now and then does not prolong it.</summary>
    [Fact]
    public async Task Ask_AByteASecond_EndsTheConnectionAfterThreeRequests()
    {
        var frame = DeviceEnd.Frame(1, 7, 3, 2, 0, 0);
        for (var i = 0; i < ModbusConnection.MaxTimeouts; i++)
        {
            var answer = AskAsync();
            await _device.ReceiveAsync();
            await _device.SendAsync(frame[i]);
            _time.Advance(TimeoutMs / 2);
            Assert.False(answer.IsCompleted);
            _time.Advance(TimeoutMs / 2);
            var error = await Assert.ThrowsAsync<ModbusException>(() => answer);
            Assert.Equal(ModbusFault.Timeout, error.Fault);
        }

        Assert.True(_connection.Closed.IsCompleted);
    }

    /// <summary>A device that is only slow is not lost: the rest of its answer is left out.</summary>
    [Fact]
    public async Task Ask_HalfAnAnswerInTime_TheNextAnswerIsFoundBehindTheRest()
    {
        var late = AskAsync();
        await _device.ReceiveAsync();
        var frame = DeviceEnd.Frame(_device.Transaction, 7, 3, 2, 0xDE, 0xAD);
        await _device.SendAsync(frame[..5]);
        _time.Advance(TimeoutMs);
        await Assert.ThrowsAsync<ModbusException>(() => late);
        await _device.SendAsync(frame[5..]);
        var next = AskAsync();
        await _device.ReceiveAsync();
        await _device.AnswerAsync(3, 2, 0, 1);

        Assert.Equal([3, 2, 0, 1], await next);
    }

    /// <summary>Many devices take one request at a time.</summary>
    [Fact]
    public async Task Ask_TwoAtOnce_TheSecondWaitsForTheFirst()
    {
        var (first, second) = (AskAsync(), AskAsync());
        await _device.ReceiveAsync();
        var transaction = _device.Transaction;
        await _device.AnswerAsync(3, 2, 0, 1);
        await _device.ReceiveAsync();
        await _device.AnswerAsync(3, 2, 0, 2);

        Assert.Equal([[3, 2, 0, 1], [3, 2, 0, 2]], await Task.WhenAll(first, second));
        Assert.Equal(transaction + 1, _device.Transaction);
    }

    private Task<byte[]> AskAsync() =>
        _connection.AskAsync(OneRegister, CancellationToken.None).AsTask();
}
