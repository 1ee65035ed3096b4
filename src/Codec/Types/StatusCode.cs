using System.Globalization;

namespace Gateway.Codec.Types;

/// <summary>Shape: severity in the two top bits, code in bits 16–27, flags and info bits below.
/// Source: Part 4 §7.38.</summary>
public readonly struct StatusCode(uint code) : IEquatable<StatusCode>
{
    /// <summary>InfoType DataValue (bit 10) with the Overflow bit (bit 7).</summary>
    private const uint OverflowBits = 0x0480;

    /// <summary>The bits whose meaning the InfoType gives.</summary>
    private const uint InfoBits = 0x03FF;

    public static StatusCode Good => default;

    public uint Code { get; } = code;

    public bool IsGood => (Code & 0xC0000000) == 0;

    public bool IsUncertain => (Code & 0xC0000000) == 0x40000000;

    public bool IsBad => (Code & 0x80000000) != 0;

    /// <summary>The code without its flag and info bits: what two results are compared by.</summary>
    public uint CodeBits => Code & 0xFFFF0000;

    public bool HasOverflow => (Code & OverflowBits) == OverflowBits;

    public StatusCode WithOverflow() => new(Code | OverflowBits);

    /// <summary>Without what it says of a queue that the value came through; other info bits stay, and with none left
    /// the InfoType goes as well. Source: Part 4 §7.39.</summary>
    public StatusCode WithoutOverflow()
    {
        if ((Code & OverflowBits) != OverflowBits)
            return this;
        var rest = Code & ~(OverflowBits & InfoBits);
        return new((rest & InfoBits) == 0 ? rest & ~OverflowBits : rest);
    }

    public static implicit operator StatusCode(uint code) => new(code);

    public static StatusCode FromUInt32(uint code) => new(code);

    public static bool operator ==(StatusCode left, StatusCode right) => left.Code == right.Code;

    public static bool operator !=(StatusCode left, StatusCode right) => left.Code != right.Code;

    public bool Equals(StatusCode other) => Code == other.Code;

    public override bool Equals(object? obj) => obj is StatusCode other && Equals(other);

    public override int GetHashCode() => (int)Code;

    /// <summary>The standard's symbol where the code has one (<c>BadTimeout</c>), hexadecimal otherwise.</summary>
    public override string ToString() =>
        StatusCodes.NameOf(CodeBits) ?? "0x" + Code.ToString("X8", CultureInfo.InvariantCulture);
}
