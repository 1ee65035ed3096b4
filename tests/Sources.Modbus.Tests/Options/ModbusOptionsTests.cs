using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Tests.Options;

public sealed class ModbusOptionsTests
{
    private static readonly ModbusTag Register = new() { Name = "a" };

    [Theory]
    [InlineData("modbus://boiler", null)]
    [InlineData("modbus://[::1]:1502/", null)]
    [InlineData("", "is missing")]
    [InlineData("opc.tcp://boiler", "modbus://host:502")]
    [InlineData("boiler:502", "modbus://host:502")]
    [InlineData("modbus://boiler/path", "modbus://host:502")]
    public void Validate_EndpointUrl(string url, string? error)
    {
        var errors = new ModbusOptions { Name = "B", EndpointUrl = url, Tags = [Register] }.Validate("Upstreams:0");

        if (error is null)
            Assert.Empty(errors);
        else
            Assert.Contains(error, Assert.Single(errors), StringComparison.Ordinal);
    }

    public static TheoryData<ModbusTag, string> WrongTags => new()
    {
        { Register with { Name = " " }, "Name: is missing" },
        { Register with { Address = 65_535, Type = ModbusType.Float }, "Address: 65535 with 2 registers goes beyond" },
        { Register with { Type = ModbusType.Boolean }, "Bit: a boolean of a register needs its bit" },
        { Register with { Bit = 3 }, "Bit: only a boolean" },
        { Register with { Type = ModbusType.String }, "Length: is missing" },
        { Register with { Length = 3 }, "Length: only a string" },
        { Register with { Scale = 0 }, "Scale: 0 is no factor" },
        { Register with { Offset = double.NaN }, "Offset:" },
        { Register with { Type = ModbusType.String, Length = 2, Scale = 2 }, "Scale: a string cannot be scaled" },
        { Register with { Table = ModbusTable.Coil }, "Type: the table coil has only boolean values" },
        { Register with { Table = ModbusTable.Input, Writable = true }, "Writable: the table input can only be read" },
        { Register with { Type = ModbusType.Boolean, Bit = 0, Writable = true }, "Writable: a bit of a register" },
        { Register with { Type = ModbusType.String, Length = 249, Writable = true }, "Writable: 125 registers" },
    };

    [Theory]
    [MemberData(nameof(WrongTags))]
    public void Validate_ATag_ErrorWithItsKey(ModbusTag tag, string error)
    {
        var options = new ModbusOptions { Name = "B", EndpointUrl = "modbus://b", Tags = [tag] };

        Assert.StartsWith(
            "Upstreams:0:Tags:0:" + error, Assert.Single(options.Validate("Upstreams:0")), StringComparison.Ordinal);
    }

    [Fact]
    public void Validate_TheList_EachErrorOnce()
    {
        var none = new ModbusOptions { Name = "a/b", EndpointUrl = "modbus://b" };
        var twice = new ModbusOptions { Name = "B", EndpointUrl = "modbus://b", Tags = [Register, Register] };

        Assert.Equal(
            [
                "Upstreams:0:Name: 'a/b' has a slash, which ends the name in the NodeIds of its tags",
                "Upstreams:0:Tags: is missing: a device without tags has nothing to read",
            ],
            none.Validate("Upstreams:0"));
        Assert.Equal(["Upstreams:1:Tags:1:Name: 'a' is there twice"], twice.Validate("Upstreams:1"));
    }
}
