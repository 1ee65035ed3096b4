namespace Gateway.PubSub.States;

/// <summary>One data set as it is now, for people.</summary>
/// <param name="Name">Of the configuration.</param>
/// <param name="Fields">How many it has.</param>
/// <param name="Missing">Fields whose node is not there, or not readable.</param>
/// <param name="Refused">Variables that there is no room for.</param>
/// <param name="MajorVersion">VersionTime.</param>
/// <param name="MinorVersion">VersionTime.</param>
public sealed record DataSetReport(
    string Name, int Fields, int Missing, int Refused, uint MajorVersion, uint MinorVersion);
