namespace Gateway.Codec.Structures;

public enum RedundantServerMode
{
    PrimaryWithBackup = 0,
    PrimaryOnly = 1,
    BackupReady = 2,
    BackupNotReady = 3,
}
