namespace Gateway.AddressSpace.Values;

/// <summary>Info bits that a notification adds to the status of its value. Source: Part 4 §7.39.</summary>
[Flags]
public enum NotificationBits : ushort
{
    None = 0,

    /// <summary>InfoType DataValue and the Overflow bit: changes before this one, or in its place, were lost.</summary>
    Overflow = 0x0480,

    /// <summary>The meaning of the number has changed: EURange, EngineeringUnits … (Part 8 §5.3).</summary>
    SemanticsChanged = 0x4000,

    /// <summary>The value is encoded in another way than before.</summary>
    StructureChanged = 0x8000,
}
