namespace Gateway.Host.Configuration;

/// <summary>The places of the configuration, so that it can be read more than once. Errors: those of
/// <see cref="CommandLine.ReadConfiguration"/>. Threads: any.</summary>
/// <param name="arguments">The command line.</param>
/// <param name="workingDirectory">Null: that of the process.</param>
internal sealed class ConfigurationSource(string[] arguments, string? workingDirectory = null)
{
    /// <summary>The files that are read if they are there, with their full paths.</summary>
    public IReadOnlyList<string> Paths { get; } = CommandLine.FilesOf(arguments, workingDirectory);

    public ConfigurationLayers Read() =>
        new(CommandLine.ReadConfiguration(arguments, workingDirectory)) { Source = this };

    /// <param name="json">In the place of the operator's file.</param>
    public ConfigurationLayers Read(Stream json) =>
        new(CommandLine.ReadConfiguration(arguments, workingDirectory, json)) { Source = this, IsCandidate = true };
}
