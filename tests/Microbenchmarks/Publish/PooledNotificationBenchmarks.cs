using BenchmarkDotNet.Attributes;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Publish;

/// <summary>A thousand notifications in one message, and a thousand messages of one: what other stacks make of objects
/// from a pool is here a copy of bytes.</summary>
[MemoryDiagnoser]
[Table(45, "Publish: a thousand notifications",
    "The reference makes or takes from a pool a thousand objects, and encodes them afterwards; here the whole way " +
    "from the changed values to the encoded messages is measured, with Publish requests and acknowledgements, and " +
    "no object exists at all. Its machine is not stated: compare bytes, not times.")]
public class PooledNotificationBenchmarks : IDisposable
{
    private const int Notifications = 1000;

    private PublishPlant _oneSession = null!;
    private PublishPlant _thousandSessions = null!;
    private double _value;

    [GlobalSetup]
    public void Setup()
    {
        _oneSession = new PublishPlant(Notifications);
        _oneSession.AddSession(Notifications, static i => (uint)i + 1);
        _thousandSessions = new PublishPlant(Notifications);
        for (var session = 1u; session <= Notifications; session++)
        {
            var node = session;
            _thousandSessions.AddSession(1, _ => node);
        }
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _oneSession.Dispose();
        _thousandSessions.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    [Published("104,408 B new; 408 B and 23 ns each pooled")]
    public long Publish1000MonitoredItemNotifications() => Cycle(_oneSession);

    [Benchmark]
    [Published("216,344 B new; 32,344 B pooled")]
    public long Publish1000DataChangeNotifications() => Cycle(_thousandSessions);

    private long Cycle(PublishPlant plant)
    {
        _value++;
        var batch = plant.Store.BeginBatch();
        foreach (var tag in plant.Tags)
            batch.Set(tag, new DataValue(new Variant(_value)));
        batch.Commit();
        plant.Publish();
        plant.Sweep();
        return plant.Output.Messages;
    }
}
