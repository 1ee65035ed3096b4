using BenchmarkDotNet.Attributes;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Publish;

/// <summary>
/// From the change to the message, unencrypted and thrown away: each session has 100 items on tags of its own, or one.
/// Figures are for one notification: the change stored and encoded, queued, spliced into its message; the Publish
/// request with its acknowledgement taken in and matched.
/// </summary>
[MemoryDiagnoser]
[Table(50, "Publish: a notification", "Without transport and encryption, from the change stored and encoded to the " +
    "message handed to the channel, with its Publish request and acknowledgement; a figure is for one notification.")]
public class SweepBenchmarks : IDisposable
{
    private const int Notifications = 10_000;

    private PublishPlant _plant = null!;
    private double _value;

    [Params(1, 100)]
    public int NotificationsPerMessage { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _plant = new PublishPlant(Notifications);
        for (var session = 0; session < Notifications / NotificationsPerMessage; session++)
        {
            var first = (uint)(session * NotificationsPerMessage) + 1;
            _plant.AddSession(NotificationsPerMessage, i => first + (uint)i);
        }
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _plant.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark(OperationsPerInvoke = Notifications)]
    public long Cycle()
    {
        _value++;
        var batch = _plant.Store.BeginBatch();
        foreach (var tag in _plant.Tags)
            batch.Set(tag, new DataValue(new Variant(_value)));
        batch.Commit();
        _plant.Publish();
        _plant.Sweep();
        return _plant.Output.Messages;
    }
}
