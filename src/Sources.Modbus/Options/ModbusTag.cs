namespace Gateway.Sources.Modbus.Options;

/// <summary>One value of a device (<c>Upstreams:N:Tags:N:*</c>): a variable of the address space.</summary>
public sealed record ModbusTag
{
    /// <summary>The <see cref="Bit"/> of a tag that is not a bit of a register.</summary>
    public const int NoBit = -1;

    private const int MaxAddress = 65_535;

    /// <summary>Registers. Source: Modbus §6.12.</summary>
    internal const int MaxWritten = 123;

    /// <summary>Unique in its device.</summary>
    public string Name { get; init; } = string.Empty;

    public ModbusTable Table { get; init; }

    /// <summary>From 0 on, as it stands in the request; the first one of several registers.</summary>
    public int Address { get; init; }

    public ModbusType Type { get; init; }

    /// <summary>Of a string, in bytes; 0 for others.</summary>
    public int Length { get; init; }

    /// <summary>Of a register, 0 is the least significant one.</summary>
    public int Bit { get; init; } = NoBit;

    /// <summary>The value is what the device has, times this, plus <see cref="Offset"/>.</summary>
    public double Scale { get; init; } = 1;

    public double Offset { get; init; }

    public ModbusOrder ByteOrder { get; init; }

    public ModbusOrder WordOrder { get; init; }

    public int UnitId { get; init; }

    public bool Writable { get; init; }

    internal bool IsOfBits => Table is ModbusTable.Coil or ModbusTable.Discrete;

    internal bool IsScaled => !Scale.Equals(1.0) || !Offset.Equals(0.0);

    /// <summary>Registers, or bits of a table of bits.</summary>
    internal int Count => Type switch
    {
        ModbusType.UInt32 or ModbusType.Int32 or ModbusType.Float => 2,
        ModbusType.UInt64 or ModbusType.Int64 or ModbusType.Double => 4,
        ModbusType.String => (Length + 1) / 2,
        _ => 1,
    };

    /// <summary>All that is wrong, each with its key.</summary>
    /// <param name="section"><c>Upstreams:0:Tags:0</c>.</param>
    /// <param name="maxRegisters">Of one request.</param>
    internal IEnumerable<string> Validate(string section, int maxRegisters)
    {
        if (string.IsNullOrWhiteSpace(Name))
            yield return $"{section}:Name: is missing";
        if (Address is < 0 or > MaxAddress)
            yield return $"{section}:Address: {Address} is not between 0 and {MaxAddress}";
        else if (Address + Count - 1 > MaxAddress)
            yield return $"{section}:Address: {Address} with {Count} registers goes beyond {MaxAddress}";
        if (UnitId is < 0 or > 255)
            yield return $"{section}:UnitId: {UnitId} is not between 0 and 255";
        foreach (var error in ValidateType(section).Concat(ValidateScale(section)))
            yield return error;
        if (!IsOfBits && Count > maxRegisters)
            yield return $"{section}:Length: {Count} registers are more than one request takes ({maxRegisters})";
        if (Writable && Table is (ModbusTable.Input or ModbusTable.Discrete))
            yield return $"{section}:Writable: the table {Table.ToString().ToLowerInvariant()} can only be read";
        if (Writable && Count > MaxWritten)
            yield return $"{section}:Writable: {Count} registers are more than one request writes ({MaxWritten})";
        if (Writable && Bit != NoBit)
            yield return $"{section}:Writable: a bit of a register cannot be written; write the register, or a coil";
    }

    private IEnumerable<string> ValidateType(string section)
    {
        if (IsOfBits && Type != ModbusType.Boolean)
            yield return $"{section}:Type: the table {Table.ToString().ToLowerInvariant()} has only boolean values";
        if (Type == ModbusType.Boolean && !IsOfBits && Bit is (< 0 or > 15))
            yield return $"{section}:Bit: a boolean of a register needs its bit, 0 to 15";
        if (Bit != NoBit && (Type != ModbusType.Boolean || IsOfBits))
            yield return $"{section}:Bit: only a boolean of a register has a bit";
        if (Type == ModbusType.String && Length < 1)
            yield return $"{section}:Length: is missing: how many bytes the string has";
        if (Type != ModbusType.String && Length != 0)
            yield return $"{section}:Length: only a string has a length";
    }

    private IEnumerable<string> ValidateScale(string section)
    {
        if (!double.IsFinite(Scale) || Scale.Equals(0.0))
            yield return $"{section}:Scale: {Scale} is no factor";
        if (!double.IsFinite(Offset))
            yield return $"{section}:Offset: {Offset} is no number";
        if (IsScaled && Type is (ModbusType.Boolean or ModbusType.String))
            yield return $"{section}:Scale: a {Type.ToString().ToLowerInvariant()} cannot be scaled";
    }
}
