using Gateway.Host.Configuration;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Configuration;

namespace Gateway.Tests.Configuration;

/// <summary>What budgets are by default where memory is scarce.</summary>
public sealed class MemoryShareTests
{
    private const long MiB = 1024 * 1024;

    [Fact]
    public void Defaults_LittleMemory_EachHasItsShareOfIt()
    {
        var (transport, server, rest) = Read(128 * MiB);

        Assert.Equal((32 * MiB, 16 * MiB), (transport.MemoryBudgetBytes, server.MaxDecodedBytes));
        Assert.Equal(8 * MiB, transport.MaxMessageSizeBytes);
        Assert.Equal((8 * MiB, 8 * MiB), (rest.MaxHttpBodiesBytes, rest.MaxHttpAnswersBytes));
    }

    [Fact]
    public void Defaults_PlentyOfMemory_AreTheUsual()
    {
        var (transport, server, rest) = Read(16 * 1024 * MiB);

        Assert.Equal(new TransportLimits().MemoryBudgetBytes, transport.MemoryBudgetBytes);
        Assert.Equal(new TransportLimits().MaxMessageSizeBytes, transport.MaxMessageSizeBytes);
        Assert.Equal(new ServerLimits().MaxDecodedBytes, server.MaxDecodedBytes);
        Assert.Equal(new RestLimits().MaxHttpAnswersBytes, rest.MaxHttpAnswersBytes);
    }

    [Fact]
    public void Configured_MoreThanItsShare_Stands()
    {
        var (transport, server, _) = Read(128 * MiB, ("Limits:MemoryBudgetBytes", "100000000"));

        Assert.Equal(100_000_000, transport.MemoryBudgetBytes);
        Assert.Equal(16 * MiB, server.MaxDecodedBytes);
    }

    [Fact]
    public void Memory_OfThisProcess_IsKnownBeforeTheFirstCollection() => Assert.True(MemoryShare.Memory > 0);

    private static (TransportLimits, ServerLimits, RestLimits) Read(
        long memory, params (string Key, string Value)[] given)
    {
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(given.Select(one => KeyValuePair.Create(one.Key, (string?)one.Value)))
            .Build();
        var reader = new LimitsReader(new SettingsReader(new ConfigurationLayers(configuration)), memory);
        return (reader.Read<TransportLimits>(), reader.Read<ServerLimits>(), reader.Read<RestLimits>());
    }
}
