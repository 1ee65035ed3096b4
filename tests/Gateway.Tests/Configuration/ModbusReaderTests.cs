using System.Text.RegularExpressions;
using Gateway.Host.Configuration;
using Gateway.Sources.Modbus.Options;
using Microsoft.Extensions.Configuration;

namespace Gateway.Tests.Configuration;

/// <summary>Elements of <c>Upstreams</c> with <c>Driver: modbus</c>.</summary>
public sealed class ModbusReaderTests
{
    private static readonly string[] Device =
    [
        "Name=Boiler", "Driver=Modbus", "EndpointUrl=modbus://x:1502", "PollIntervalMs=100", "RequestTimeoutMs=300",
        "MaxRegistersPerRead=64", "MaxGap=2", "UnitId=9", "ByteOrder=little", "WordOrder=Little",
        "Tags:0:Name=a", "Tags:0:Address=10", "Tags:0:Type=int32", "Tags:0:Scale=0.1", "Tags:0:Offset=-5",
        "Tags:0:Writable=true",
        "Tags:1:Name=b", "Tags:1:Table=input", "Tags:1:Type=boolean", "Tags:1:Bit=3", "Tags:1:UnitId=4",
        "Tags:1:ByteOrder=big", "Tags:1:WordOrder=big",
        "Tags:2:Name=c", "Tags:2:Type=string", "Tags:2:Length=8",
        "Tags:3:Name=d", "Tags:3:Table=coil",
    ];

    [Fact]
    public void Read_EveryProperty_Reached()
    {
        var (devices, errors) = Read(Device);

        Assert.Empty(errors);
        var device = Assert.Single(devices);
        var (byDefault, tagByDefault) = (new ModbusOptions(), new ModbusTag());
        Assert.All(
            typeof(ModbusOptions).GetProperties().Where(static one => one.SetMethod is not null),
            property => Assert.NotEqual(property.GetValue(byDefault), property.GetValue(device)));
        Assert.All(
            typeof(ModbusTag).GetProperties().Where(static one => one.SetMethod is not null),
            property =>
            {
                Assert.Contains(ConfigurationKeys.All, key => key.Name == $"Upstreams:N:Tags:N:{property.Name}");
                Assert.Contains(
                    device.Tags, tag => !Equals(property.GetValue(tagByDefault), property.GetValue(tag)));
            });
        Assert.Equal(
            (ModbusOrder.Little, ModbusOrder.Big, 9, 4, ModbusType.Boolean),
            (device.Tags[0].ByteOrder, device.Tags[1].ByteOrder, device.Tags[0].UnitId, device.Tags[1].UnitId,
                device.Tags[3].Type));
    }

    [Theory]
    [InlineData("Driver=modbuss", "Upstreams:0:Driver: 'modbuss' is no driver; drivers are opcua and modbus")]
    [InlineData("User=anna", "Upstreams:0:User: is for Upstreams:0:Driver=opcua")]
    [InlineData("Roots:0=i=85", "Upstreams:0:Roots: is for Upstreams:0:Driver=opcua")]
    [InlineData("UnitId=many", "Upstreams:0:UnitId: 'many' is no whole number")]
    [InlineData("ByteOrder=middle", "Upstreams:0:ByteOrder: 'middle' is not one of big, little")]
    [InlineData("ByteOrder=1", "Upstreams:0:ByteOrder: '1' is not one of big, little")]
    [InlineData("Tags:0:Address=70000", "Upstreams:0:Tags:0:Address: 70000 is not between 0 and 65535")]
    [InlineData("Tags:3:Type=int16", "Upstreams:0:Tags:3:Type: the table coil has only boolean values")]
    public void Read_SomethingWrong_ToldWithItsKey(string setting, string error) =>
        Assert.Equal([error], Read([.. Device, setting]).Errors);

    [Fact]
    public void Read_TagsOfAnOpcUaServer_AreAnError() => Assert.Equal(
        ["Upstreams:0:Tags: is for Upstreams:0:Driver=modbus"],
        Read(["Name=Press", "EndpointUrl=opc.tcp://x", "Tags:0:Name=a"]).Errors);

    [Fact]
    public void Example_OfThePage_IsValid()
    {
        var root = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(root.FullName, "Gateway.sln")))
            root = root.Parent!;
        var page = File.ReadAllText(Path.Combine(root.FullName, "docs", "modbus.md"));
        using var folder = new ConfigurationFolder(
            Regex.Match(page, "```json\n(.*?)```", RegexOptions.Singleline).Groups[1].Value);

        Assert.Empty(folder.Read().Warnings);
    }

    private static (ModbusOptions[] Devices, IReadOnlyList<string> Errors) Read(string[] settings)
    {
        var pairs = settings.Select(static one => one.Split('=', 2))
            .GroupBy(static one => one[0]).Select(static one => KeyValuePair.Create(
                "Upstreams:0:" + one.Key, (string?)one.Last()[1]));
        var options = new GatewayOptions(
            new ConfigurationLayers(new ConfigurationBuilder().AddInMemoryCollection(pairs).Build()));
        var errors = options.FindErrors();
        return (errors.Count == 0 ? options.Get<ModbusOptions[]>() : [], errors);
    }
}
