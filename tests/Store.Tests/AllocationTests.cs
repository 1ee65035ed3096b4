using Gateway.Testing;

namespace Gateway.Store.Tests;

/// <summary>Alone: a test beside it takes arrays out of the process's pool, and then a new one is made here.</summary>
[Collection(Name)]
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AllocationTests
{
    private const string Name = "allocations of the store";

    [Fact]
    public void Records_InTheSteadyState_AllocateNothing()
    {
        var directory = Directory.CreateTempSubdirectory("store-").FullName;
        using var files = Gateway.Store.Files.DiskFiles.Open(directory);
        var log = new StoreLog(
            files, Logs.Small with { Directory = directory, SegmentBytes = 64 * 1024 * 1024, MaxBytes = 1L << 30 },
            TimeProvider.System, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, isStepped: true);
        var payload = new byte[1000];

        var bytes = Allocations.OfThousand(() =>
        {
            Assert.True(log.TryAppend(1, 2, "topic"u8, payload, out _));
            log.Turn();
            Assert.True(log.TryRead(out var message));
            Assert.True(log.Acknowledge(message.Sequence));
        });

        Assert.Equal(0, bytes);
        Directory.Delete(directory, recursive: true);
    }
}
