using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>Units by their UN/CEFACT common code. Source: Part 8 §5.6.3.3 (the UnitId is the code).</summary>
internal static class EngineeringUnit
{
    private const string CefactUri = "http://www.opcfoundation.org/UA/units/un/cefact";

    public static EUInformation Celsius => Of("CEL", "°C", "degree Celsius");

    public static EUInformation Bar => Of("BAR", "bar", "bar");

    public static EUInformation Percent => Of("P1", "%", "percent");

    public static EUInformation RevolutionsPerMinute => Of("RPM", "r/min", "revolutions per minute");

    public static EUInformation Ampere => Of("AMP", "A", "ampere");

    public static EUInformation PiecesPerMinute => Of("C94", "min⁻¹", "reciprocal minute");

    public static EUInformation MillimetrePerSecond => Of("C16", "mm/s", "millimetre per second");

    public static EUInformation KilowattHour => Of("KWH", "kW·h", "kilowatt hour");

    private static EUInformation Of(string code, string symbol, string name)
    {
        var id = 0;
        foreach (var character in code)
            id = (id << 8) | character;
        return new EUInformation
        {
            NamespaceUri = CefactUri,
            UnitId = id,
            DisplayName = new LocalizedText(symbol),
            Description = new LocalizedText(name),
        };
    }
}
