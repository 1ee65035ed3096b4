namespace Gateway.Rest.Management;

/// <summary>The host's hold on the configuration. Threads: any.</summary>
public interface IConfigurationControl
{
    /// <summary>Judges a configuration and changes nothing. It stands in the place of the configuration file; the
    /// environment and the command line still have precedence. One at a time: reads files and takes a while.</summary>
    /// <param name="json">The text of an <c>appsettings.json</c>; not used afterwards.</param>
    Task<ConfigurationVerdict> CheckAsync(ReadOnlyMemory<byte> json);

    /// <summary>Reads the configuration again, and takes it over if it is right. Keys that need a restart stay.
    /// </summary>
    /// <param name="by">The cause, for the log.</param>
    Task<ConfigurationReload> ReloadAsync(string by);

    /// <summary>Null: there was none since the start.</summary>
    ConfigurationReload? Last { get; }
}
