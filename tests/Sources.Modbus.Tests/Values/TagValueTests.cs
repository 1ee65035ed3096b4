using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Modbus.Values;

namespace Gateway.Sources.Modbus.Tests.Values;

/// <summary>Registers to values and back.</summary>
public sealed class TagValueTests
{
    /// <summary>123456.0 is 0x47F12000: ABCD, CDAB, BADC and DCBA in the words of manuals.</summary>
    [Theory]
    [InlineData(ModbusOrder.Big, ModbusOrder.Big, "47F12000")]
    [InlineData(ModbusOrder.Big, ModbusOrder.Little, "200047F1")]
    [InlineData(ModbusOrder.Little, ModbusOrder.Big, "F1470020")]
    [InlineData(ModbusOrder.Little, ModbusOrder.Little, "0020F147")]
    public void Float_InEachOrder_ReadAndWritten(ModbusOrder bytes, ModbusOrder words, string registers)
    {
        var tag = new ModbusTag { Type = ModbusType.Float, ByteOrder = bytes, WordOrder = words };

        Assert.Equal(new Variant(123456f), TagReader.Read(tag, Convert.FromHexString(registers)));
        Assert.Equal(StatusCode.Good, TagWriter.Write(tag, new Variant(123456f), out var written));
        Assert.Equal(registers, Convert.ToHexString(written));
    }

    public static TheoryData<ModbusType, string, Variant> Numbers => new()
    {
        { ModbusType.UInt16, "FFFE", new Variant((ushort)65534) },
        { ModbusType.Int16, "FFFE", new Variant((short)-2) },
        { ModbusType.UInt32, "FFFFFFFE", new Variant(4294967294) },
        { ModbusType.Int32, "FFFFFFFE", new Variant(-2) },
        { ModbusType.UInt64, "FFFFFFFFFFFFFFFE", new Variant(18446744073709551614) },
        { ModbusType.Int64, "FFFFFFFFFFFFFFFE", new Variant(-2L) },
        { ModbusType.Double, "3FF8000000000000", new Variant(1.5) },
    };

    [Theory]
    [MemberData(nameof(Numbers))]
    public void Number_OfEachType_ReadAndWritten(ModbusType type, string registers, Variant value)
    {
        var tag = new ModbusTag { Type = type };

        Assert.Equal(value, TagReader.Read(tag, Convert.FromHexString(registers)));
        Assert.Equal(StatusCode.Good, TagWriter.Write(tag, value, out var written));
        Assert.Equal(registers, Convert.ToHexString(written));
    }

    [Fact]
    public void FourRegisters_LittleWords_TheLastComesFirst()
    {
        var tag = new ModbusTag { Type = ModbusType.UInt64, WordOrder = ModbusOrder.Little };

        Assert.Equal(
            new Variant(0x0001000200030004UL), TagReader.Read(tag, Convert.FromHexString("0004000300020001")));
    }

    [Theory]
    [InlineData("4F6B00", ModbusOrder.Big, "Ok")]
    [InlineData("6B4F00", ModbusOrder.Little, "Ok")]
    [InlineData("C3A4E282AC", ModbusOrder.Big, "ä€")]
    [InlineData("FF41", ModbusOrder.Big, "\uFFFDA")]
    public void String_UpToTheFirstNul_Read(string registers, ModbusOrder bytes, string text)
    {
        var tag = new ModbusTag { Type = ModbusType.String, Length = 6, ByteOrder = bytes };

        Assert.Equal(new Variant(text), TagReader.Read(tag, Convert.FromHexString(registers.PadRight(12, '0'))));
    }

    [Fact]
    public void String_Written_IsFilledWithNul()
    {
        var tag = new ModbusTag { Type = ModbusType.String, Length = 5 };

        Assert.Equal(StatusCode.Good, TagWriter.Write(tag, new Variant("Ok"), out var registers));
        Assert.Equal("4F6B00000000", Convert.ToHexString(registers));
        Assert.Equal(new StatusCode(StatusCodes.BadOutOfRange), TagWriter.Write(tag, new Variant("longer"), out _));
    }

    [Fact]
    public void Scaled_Read_IsADouble() => Assert.Equal(
        new Variant(-21.5),
        TagReader.Read(
            new ModbusTag { Type = ModbusType.Int16, Scale = 0.1, Offset = -20 }, Convert.FromHexString("FFF1")));

    [Theory]
    [InlineData(ModbusType.Int16, -21.5, "FFF1")]
    [InlineData(ModbusType.Int16, 3256.7, "7FFF")]
    [InlineData(ModbusType.Int16, 3256.8, null)]
    [InlineData(ModbusType.UInt16, -20.1, null)]
    [InlineData(ModbusType.UInt16, -20.0, "0000")]
    [InlineData(ModbusType.Int32, 1e12, null)]
    [InlineData(ModbusType.Int64, 1e30, null)]
    [InlineData(ModbusType.Float, double.NaN, null)]
    [InlineData(ModbusType.Float, 1e300, null)]
    public void Scaled_Written_WithinTheRangeOfTheRegisters(ModbusType type, double value, string? registers)
    {
        var tag = new ModbusTag { Type = type, Scale = 0.1, Offset = -20 };

        var status = TagWriter.Write(tag, new Variant(value), out var written);

        Assert.Equal(registers is null ? new StatusCode(StatusCodes.BadOutOfRange) : StatusCode.Good, status);
        if (registers is not null)
            Assert.Equal(registers, Convert.ToHexString(written));
    }

    [Fact]
    public void Written_AnotherType_IsATypeMismatch()
    {
        var mismatch = new StatusCode(StatusCodes.BadTypeMismatch);

        Assert.Equal(mismatch, TagWriter.Write(new ModbusTag(), new Variant(1.5), out _));
        Assert.Equal(mismatch, TagWriter.Write(new ModbusTag { Scale = 2 }, new Variant((ushort)1), out _));
    }

    [Fact]
    public void Bit_OfARegister_Read()
    {
        var tag = new ModbusTag { Type = ModbusType.Boolean, Bit = 9 };

        Assert.Equal(new Variant(true), TagReader.Read(tag, [0x02, 0x00]));
        Assert.Equal(new Variant(false), TagReader.Read(tag, [0xFD, 0xFF]));
    }
}
