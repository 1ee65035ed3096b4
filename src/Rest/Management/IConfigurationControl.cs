namespace Gateway.Rest.Management;

/// <summary>The host's hold on the configuration. Threads: any.</summary>
public interface IConfigurationControl
{
    /// <summary>Judges a configuration and changes nothing. It stands in the place of the configuration file; the
    /// environment and the command line still have precedence. One at a time: reads files and takes a while.</summary>
    /// <param name="json">The text of an <c>appsettings.json</c>; not used afterwards.</param>
    ConfigurationVerdict Check(ReadOnlyMemory<byte> json);
}
