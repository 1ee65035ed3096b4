using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Modbus.Tests.Support;

namespace Gateway.Sources.Modbus.Tests;

/// <summary>The life of a device's connection, and its nodes.</summary>
public sealed class ModbusDriverTests
{
    private static readonly ModbusTag Level = new()
    {
        Name = "Level",
        Type = ModbusType.Int16,
        Scale = 0.1,
        UnitId = 3,
        Writable = true,
    };

    [Fact]
    public async Task Prepare_ATag_IsAVariableBelowItsUpstream()
    {
        await using var gateway = new DriverFixture(Level);

        var facts = gateway.Nodes.GetVariableFacts(gateway.Node("Level"));

        Assert.Equal(new NodeId(StandardIds.DataTypes.Double), facts.DataType);
        Assert.Equal(AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite, facts.AccessLevel);
        Assert.Equal(1_000, facts.MinimumSamplingInterval);
        var root = gateway.Nodes.Find(
            new NodeId("Boiler", gateway.Nodes.Namespaces.GetOrAdd("urn:gateway:upstreams")));
        Assert.False(root.IsNone);
    }

    [Fact]
    public async Task Read_DeviceAway_NoCommunicationSinceTheLoss()
    {
        await using var gateway = new DriverFixture(Level);
        gateway.Device.IsAway = true;
        gateway.Driver.Start();
        await gateway.WaitForAsync(SourceState.Away);

        var value = Assert.Single(await gateway.ReadAsync("Level"));

        Assert.Equal(new StatusCode(StatusCodes.BadNoCommunication), value.Status);
        Assert.Equal(gateway.Time.GetUtcNow().UtcDateTime, value.SourceTimestamp);
        Assert.Equal(
            [new StatusCode(StatusCodes.BadNoCommunication)], await gateway.WriteAsync(("Level", new Variant(1.0))));
        Assert.Contains("EndpointUrl", gateway.Report.Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connection_Lost_ComesBackByItself()
    {
        await using var gateway = new DriverFixture(Level);
        var connection = await gateway.StartAsync();
        await connection.CloseAsync();
        await gateway.ReadAsync("Level");
        await gateway.WaitForAsync(SourceState.Away);

        await gateway.StepUntilAsync(
            () => gateway.Report.State == SourceState.Online, TimeSpan.FromMilliseconds(100));

        Assert.True(Assert.Single(await gateway.ReadAsync("Level")).Status.IsGood);
        Assert.Equal(2, gateway.Report.Counts.Connects);
    }

    /// <summary>Nobody reads, and no packet tells that a half-open connection is one.</summary>
    [Fact]
    public async Task Connection_Idle_IsAskedWhetherItIsStillThere()
    {
        await using var gateway = new DriverFixture(Level);
        await gateway.StartAsync();

        await gateway.StepUntilAsync(() => gateway.Device.Requests.Length > 0, ModbusConnector.ProbeInterval);

        Assert.Equal([3, 0, 0, 0, 1], gateway.Device.Requests[0]);
    }

    [Fact]
    public async Task Apply_AnotherConfiguration_OneEndsAnotherComesOneStays()
    {
        await using var gateway = new DriverFixture(Level);
        await gateway.StartAsync();
        var same = DriverFixture.Options(Level);
        var other = new ModbusOptions { Name = "Press", EndpointUrl = "modbus://press", Tags = [Level] };

        await gateway.Driver.ApplyAsync([other, same]);
        Assert.Equal(["Press", "Boiler"], gateway.Driver.Report().Select(static one => one.Name));
        Assert.True(Assert.Single(await gateway.ReadAsync("Level")).Status.IsGood);
        Assert.Equal(1, ((Upstreams.UpstreamReport)gateway.Driver.Report()[1]).Counts.Connects);
        await gateway.Driver.ApplyAsync([other]);

        Assert.True(gateway.Node("Level").IsNone);
        Assert.Equal(["Press"], gateway.Driver.Report().Select(static one => one.Name));
    }
}
