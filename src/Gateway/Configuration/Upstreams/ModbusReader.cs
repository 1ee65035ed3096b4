using Gateway.Sources.Modbus;
using Gateway.Sources.Modbus.Options;

namespace Gateway.Host.Configuration.Upstreams;

/// <summary>Reads the elements of <c>Upstreams</c> that are Modbus devices.</summary>
internal static class ModbusReader
{
    public static ModbusOptions[] Read(SettingsReader settings)
    {
        var devices = new List<ModbusOptions>();
        foreach (var key in UpstreamSections.Of(settings, ModbusDriver.Key))
        {
            var options = Device(settings, key);
            settings.Errors.AddRange(options.Validate(key));
            devices.Add(options);
        }

        return [.. devices];
    }

    private static ModbusOptions Device(SettingsReader settings, string key)
    {
        var byDefault = new ModbusOptions();
        var common = new ModbusTag
        {
            UnitId = settings.Number($"{key}:UnitId", 1, 0, 255),
            ByteOrder = settings.Choice($"{key}:ByteOrder", ModbusOrder.Big),
            WordOrder = settings.Choice($"{key}:WordOrder", ModbusOrder.Big),
        };
        return new ModbusOptions
        {
            Name = settings.Text($"{key}:Name"),
            EndpointUrl = settings.Text($"{key}:EndpointUrl"),
            PollIntervalMs = settings.Milliseconds($"{key}:PollIntervalMs", byDefault.PollIntervalMs),
            RequestTimeoutMs = settings.Milliseconds($"{key}:RequestTimeoutMs", byDefault.RequestTimeoutMs),
            MaxRegistersPerRead = settings.Number(
                $"{key}:MaxRegistersPerRead", byDefault.MaxRegistersPerRead, 1, ModbusOptions.MaxRegisters),
            MaxGap = settings.Number($"{key}:MaxGap", byDefault.MaxGap, 0, ModbusOptions.MaxRegisters),
            Tags = [.. settings.Elements($"{key}:Tags").Select(tag => Tag(settings, tag, common))],
        };
    }

    /// <param name="common">The settings that the device gives all its tags.</param>
    private static ModbusTag Tag(SettingsReader settings, string key, ModbusTag common)
    {
        var table = settings.Choice($"{key}:Table", ModbusTable.Holding);
        var isOfBits = table is ModbusTable.Coil or ModbusTable.Discrete;
        return new ModbusTag
        {
            Name = settings.Text($"{key}:Name"),
            Table = table,
            Address = settings.Number($"{key}:Address", 0, 0, ushort.MaxValue),
            Type = settings.Choice($"{key}:Type", isOfBits ? ModbusType.Boolean : ModbusType.UInt16),
            Length = settings.Number($"{key}:Length", 0, 0, 2 * ModbusOptions.MaxRegisters),
            Bit = settings.Number($"{key}:Bit", ModbusTag.NoBit, ModbusTag.NoBit, 15),
            Scale = settings.Real($"{key}:Scale", 1),
            Offset = settings.Real($"{key}:Offset", 0),
            ByteOrder = settings.Choice($"{key}:ByteOrder", common.ByteOrder),
            WordOrder = settings.Choice($"{key}:WordOrder", common.WordOrder),
            UnitId = settings.Number($"{key}:UnitId", common.UnitId, 0, 255),
            Writable = settings.Flag($"{key}:Writable", false),
        };
    }
}
