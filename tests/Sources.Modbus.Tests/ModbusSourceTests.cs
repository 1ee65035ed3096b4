using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Modbus.Protocol;
using Gateway.Sources.Modbus.Tests.Support;

namespace Gateway.Sources.Modbus.Tests;

/// <summary>Reads and writes of clients, as requests to a device.</summary>
public sealed class ModbusSourceTests
{
    [Fact]
    public async Task Read_TagsSideBySide_OneRequestForAll()
    {
        await using var gateway = new DriverFixture(
            Register("a", 0), Register("b", 1) with { Type = ModbusType.Int32 }, Register("c", 3) with { Scale = 0.5 });
        await gateway.StartAsync();
        new ushort[] { 7, 0xFFFF, 0xFFFE, 5 }.CopyTo(gateway.Device.Registers, 0);

        var values = await gateway.ReadAsync("c", "a", "b", "a");

        Assert.Equal(
            [new Variant(2.5), new Variant((ushort)7), new Variant(-2), new Variant((ushort)7)],
            Array.ConvertAll(values, static one => one.Value));
        Assert.Equal([3, 0, 0, 0, 4], Assert.Single(gateway.Device.Requests));
    }

    /// <summary>The device has no register between the two, and refuses the whole request: only once.</summary>
    [Fact]
    public async Task Read_AHoleInTheTable_BothSidesByThemselvesFromThenOn()
    {
        await using var gateway = new DriverFixture(Register("a", 0), Register("b", 4), Register("c", 5));
        await gateway.StartAsync();
        gateway.Device.Holes.Add(2);
        gateway.Device.Registers[5] = 9;

        var values = await gateway.ReadAsync("a", "b", "c");
        Assert.All(values, static one => Assert.True(one.Status.IsGood));
        Assert.Equal(new Variant((ushort)9), values[2].Value);
        gateway.Device.Forget();
        await gateway.ReadAsync("a", "b", "c");

        Assert.Equal([[3, 0, 0, 0, 1], [3, 0, 4, 0, 2]], gateway.Device.Requests);
    }

    [Fact]
    public async Task Read_OneTagThatTheDeviceDoesNotHave_OnlyThatOneIsBad()
    {
        await using var gateway = new DriverFixture(Register("a", 0), Register("b", 1), Register("c", 2));
        await gateway.StartAsync();
        gateway.Device.Holes.Add(1);

        var values = await gateway.ReadAsync("a", "b", "c");

        Assert.Equal(
            [StatusCode.Good, new StatusCode(StatusCodes.BadConfigurationError), StatusCode.Good],
            Array.ConvertAll(values, static one => one.Status));
        Assert.Equal(
            (SourceState.Online, "b: the device answered with exception 2 (IllegalDataAddress)"),
            (gateway.Report.State, gateway.Report.LastError));
    }

    [Theory]
    [InlineData(1, StatusCodes.BadNotSupported)]
    [InlineData(2, StatusCodes.BadConfigurationError)]
    [InlineData(3, StatusCodes.BadOutOfRange)]
    [InlineData(4, StatusCodes.BadDeviceFailure)]
    [InlineData(5, StatusCodes.BadResourceUnavailable)]
    [InlineData(6, StatusCodes.BadResourceUnavailable)]
    [InlineData(7, StatusCodes.BadDeviceFailure)]
    [InlineData(8, StatusCodes.BadDeviceFailure)]
    [InlineData(10, StatusCodes.BadNotConnected)]
    [InlineData(11, StatusCodes.BadNotConnected)]
    [InlineData(99, StatusCodes.BadUnknownResponse)]
    public void ExceptionCode_Each_HasItsStatus(byte code, uint status) =>
        Assert.Equal(new StatusCode(status), ModbusException.Refusal(code).Status);

    [Fact]
    public async Task Read_WithinMaxAge_DoesNotAskTheDevice()
    {
        await using var gateway = new DriverFixture(Register("a", 0));
        await gateway.StartAsync();
        await gateway.ReadAsync("a");
        var source = gateway.Nodes.SourceOf(gateway.Node("a"))!;
        gateway.Time.Advance(500);

        Assert.True(source.TryRead(gateway.Node("a"), 501, out var value));
        Assert.Equal(new Variant((ushort)0), value.Value);
        Assert.False(source.TryRead(gateway.Node("a"), 500, out _));
        Assert.False(source.TryRead(gateway.Node("a"), 0, out _));
    }

    /// <summary>After a write, an older value is not that of the device.</summary>
    [Fact]
    public async Task Read_AfterAWrite_AsksTheDevice()
    {
        await using var gateway = new DriverFixture(Register("a", 0));
        await gateway.StartAsync();
        await gateway.ReadAsync("a");

        await gateway.WriteAsync(("a", new Variant((ushort)3)));

        Assert.False(gateway.Nodes.SourceOf(gateway.Node("a"))!.TryRead(gateway.Node("a"), 10_000, out _));
        Assert.Equal(new Variant((ushort)3), Assert.Single(await gateway.ReadAsync("a")).Value);
    }

    [Fact]
    public async Task Write_OneAndSeveral_TheFourFunctions()
    {
        await using var gateway = new DriverFixture(
            Register("a", 0), Register("b", 1) with { Type = ModbusType.UInt32 }, Coil("x", 0), Coil("y", 1),
            Coil("z", 9));
        await gateway.StartAsync();

        var results = await gateway.WriteAsync(
            ("a", new Variant((ushort)0x0102)), ("x", new Variant(true)), ("y", new Variant(false)),
            ("z", new Variant(true)), ("b", new Variant(0x03040506u)));

        Assert.All(results, static one => Assert.Equal(StatusCode.Good, one));
        Assert.Equal(
            [
                [6, 0, 0, 1, 2], [15, 0, 0, 0, 2, 1, 0b01], [5, 0, 9, 0xFF, 0],
                [16, 0, 1, 0, 2, 4, 3, 4, 5, 6],
            ],
            gateway.Device.Requests);
    }

    [Fact]
    public async Task Write_DeviceThatKnowsOnlyTheLongForm_GetsIt()
    {
        await using var gateway = new DriverFixture(Register("a", 0));
        gateway.Device.Unknown.Add(ModbusFunction.WriteSingleRegister);
        await gateway.StartAsync();

        Assert.Equal([StatusCode.Good], await gateway.WriteAsync(("a", new Variant((ushort)5))));
        Assert.Equal(5, gateway.Device.Registers[0]);
    }

    [Fact]
    public async Task Write_WhatModbusCannotSay_IsRefusedWithoutARequest()
    {
        await using var gateway = new DriverFixture(
            Register("a", 0) with { Scale = 0.1 }, Register("t", 1) with { Type = ModbusType.String, Length = 4 });
        await gateway.StartAsync();
        var source = gateway.Nodes.SourceOf(gateway.Node("a"))!;
        var results = new StatusCode[4];
        await source.WriteAsync(
            new SourceWrite[]
            {
                new(gateway.Node("a"), new DataValue(new Variant(99999.0))),
                new(gateway.Node("t"), new DataValue(new Variant("x")), "0:1"),
                new(gateway.Node("a"), new DataValue(new Variant(1.0)) with { SourceTimestamp = DateTime.UnixEpoch }),
                new(gateway.Node("a"), new DataValue(new Variant(1.0)) with { Status = StatusCodes.Uncertain }),
            },
            results, CancellationToken.None);

        Assert.Equal(
            [
                StatusCodes.BadOutOfRange, StatusCodes.BadWriteNotSupported, StatusCodes.BadWriteNotSupported,
                StatusCodes.BadWriteNotSupported,
            ],
            Array.ConvertAll(results, static one => one.Code));
        Assert.Empty(gateway.Device.Requests);
    }

    private static ModbusTag Register(string name, int address) =>
        new() { Name = name, Address = address, UnitId = 1, Writable = true };

    private static ModbusTag Coil(string name, int address) =>
        Register(name, address) with { Table = ModbusTable.Coil, Type = ModbusType.Boolean };
}
