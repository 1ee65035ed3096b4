using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;
using Gateway.Mqtt.States;
using Gateway.Mqtt.Tests.Brokers;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>Faults of our own machine: no caller waits for ever behind them.</summary>
public sealed class FaultTests
{
    private static readonly MqttClientOptions Options =
        new() { Host = "127.0.0.1", ClientId = "test", KeepAlive = TimeSpan.Zero, Limits = ClientHouse.Patient };

    private static readonly ConnAckPacket Welcome = new();

    private static readonly MqttMessage Message =
        new() { Topic = "a"u8.ToArray(), Payload = new byte[100], Qos = MqttQos.AtLeastOnce };

    /// <summary>No array for the send queue: the publish waits, and goes once there is one.</summary>
    [Fact]
    public async Task Publish_NoMemoryToSend_WaitsForTheNextLook()
    {
        var arrays = new ScarceArrays { IsEmpty = true };
        using var queue = new SendQueue(1024, 1024, arrays);
        var session = new ClientParts(Options, TimeProvider.System).Outbound;
        session.Attach(queue, Welcome);

        var publishing = session.Publish(Message, CancellationToken.None).AsTask();
        Assert.Equal((1, 0), (session.Gauges.InFlight, session.Gauges.Unacknowledged));
        arrays.IsEmpty = false;
        session.Pump();

        Assert.Equal((1, 1), (session.Gauges.InFlight, session.Gauges.Unacknowledged));
        Assert.True(session.TryAcknowledge(new AckPacket(1, MqttReasonCode.Success)));
        Assert.True((await publishing.WaitAsync(Patience.Limit)).IsSuccess);
    }

    /// <summary>The PUBACK came, and the next message finds no memory: the first publish has ended all the same.
    /// </summary>
    [Fact]
    public async Task TryAcknowledge_NoMemoryForTheNext_TheAcknowledgedOneEnds()
    {
        var arrays = new ScarceArrays();
        using var queue = new SendQueue(1024, 1024, arrays);
        var session = new ClientParts(
            Options with { Limits = Options.Limits with { MaxInFlight = 1 } }, TimeProvider.System).Outbound;
        session.Attach(queue, Welcome);
        var first = session.Publish(Message, CancellationToken.None).AsTask();
        var second = session.Publish(Message, CancellationToken.None).AsTask();
        queue.TryTake(out _);
        queue.TryTake(out _);
        queue.GiveBackIfIdle();
        arrays.IsEmpty = true;

        session.TryAcknowledge(new AckPacket(1, MqttReasonCode.Success));

        Assert.True((await first.WaitAsync(Patience.Limit)).IsSuccess);
        Assert.False(second.IsCompleted);
        session.Close();
        Assert.Equal(MqttPublishOutcome.Closed, (await second.WaitAsync(Patience.Limit)).Outcome);
    }

    /// <summary>Both arrays keep their size while the connection is busy, and go back when it is idle.</summary>
    [Fact]
    public void SendQueue_Idle_GivesItsArraysBack()
    {
        var arrays = new ScarceArrays();
        using var queue = new SendQueue(1024 * 1024, 1024 * 1024, arrays);
        var form = MessageForm.Of(MqttVersion.V5, Message with { Payload = new byte[200_000] });
        for (var i = 0; i < 100; i++)
        {
            Assert.True(queue.TryWrite(form));
            Assert.True(queue.TryTake(out var bytes));
            Assert.Equal(200_010, bytes.Length);
            queue.GiveBackIfIdle();
        }

        Assert.Equal(2, arrays.Rented);
        Assert.True(queue.TryTake(out _));
        queue.GiveBackIfIdle();
        Assert.Equal((0, 2), (queue.CapacityBytes, arrays.Returned));
    }

    /// <summary>The connection was over before it had a stream.</summary>
    [Fact]
    public async Task Connect_IOException_NobodyWasReached()
    {
        var came = new TaskCompletionSource<MqttStateChange>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = new MqttClient(Options)
        {
            Connect = static (_, _, _) => throw new IOException("not connected"),
        };
        client.StateChanged += change =>
        {
            if (change.State != MqttClientState.Connecting)
                came.TrySetResult(change);
        };
        client.Start();

        Assert.Equal(MqttFault.ConnectFailed, (await came.Task.WaitAsync(Patience.Limit)).Fault);
    }

    /// <summary>The stream throws at its end: the client ends all the same, with all who wait.</summary>
    [Fact]
    public async Task DisconnectAsync_StreamThrowsAtItsEnd_AllEnd()
    {
        var client = new MqttClient(Options with { Limits = Options.Limits with { DrainDeadline = Second } })
        {
            Connect = (_, _, _) => new ValueTask<Stream>(new ScriptStream([0x20, 3, 0, 0, 0])
            {
                Disposing = () => throw new InvalidOperationException(),
            }),
        };
        client.Start();
        await client.ConnectedAsync().WaitAsync(Patience.Limit);
        var publishing = client.PublishAsync(Message).AsTask();

        await client.DisconnectAsync().WaitAsync(Patience.Limit);

        Assert.Equal(MqttPublishOutcome.Closed, (await publishing.WaitAsync(Patience.Limit)).Outcome);
        Assert.Equal(MqttClientState.Closed, client.State);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => client.ConnectedAsync().WaitAsync(Patience.Limit));
    }

    private static TimeSpan Second => TimeSpan.FromSeconds(1);

    private sealed class ScarceArrays : ISendArrays
    {
        public bool IsEmpty { get; set; }

        public int Rented { get; private set; }

        public int Returned { get; private set; }

        public byte[] Rent(int atLeastBytes)
        {
            if (IsEmpty)
                throw new InsufficientMemoryException();
            Rented++;
            return new byte[atLeastBytes];
        }

        public void Return(byte[] array) => Returned++;
    }
}
