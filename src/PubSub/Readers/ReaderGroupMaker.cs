using Gateway.AddressSpace.Nodes;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;

namespace Gateway.PubSub.Readers;

/// <summary>Makes the groups of a connection: what stays as it is comes from the connection before.</summary>
internal sealed class ReaderGroupMaker(ReaderParts parts, TableStructures structures, OutputFactory outputs)
{
    /// <summary>Readers whose options stay keep their nodes and values, and a group whose options stay its input, with
    /// the numbers and chunks that it knows.</summary>
    /// <param name="connection">With groups.</param>
    /// <param name="key">Of it, for messages.</param>
    /// <param name="before">The groups before; nothing of them changes here.</param>
    /// <param name="keepsInputs">False: the groups before will be disposed.</param>
    /// <exception cref="InvalidOperationException">With the key, for people. Nothing is left of what was made.
    /// </exception>
    public IReadOnlyList<ReaderGroup> Make(
        ConnectionOptions connection, string key, IReadOnlyList<ReaderGroup> before, bool keepsInputs)
    {
        var made = new List<ReaderGroup>();
        var fresh = new List<DataSetReader>();
        try
        {
            for (var i = 0; i < connection.ReaderGroups.Count; i++)
            {
                var options = connection.ReaderGroups[i];
                var known = before.FirstOrDefault(one => one.Options.Name == options.Name);
                made.Add(keepsInputs && known is not null && IsUntouched(known, options)
                    ? known
                    : MakeOne(connection, options, $"{key}:ReaderGroups:{i}", known, fresh));
            }

            return made;
        }
        catch
        {
            foreach (var group in made.Except(before))
                group.Dispose();
            foreach (var reader in fresh)
                reader.RemoveNodes();
            throw;
        }
    }

    private static bool IsUntouched(ReaderGroup known, ReaderGroupOptions options) =>
        SameOptions.IsSame(known.Options, options) && known.Readers.All(static one => !one.IsEnded);

    private ReaderGroup MakeOne(
        ConnectionOptions connection, ReaderGroupOptions options, string key, ReaderGroup? known,
        List<DataSetReader> fresh)
    {
        var readers = new List<DataSetReader>();
        for (var i = 0; i < options.DataSetReaders.Count; i++)
        {
            var its = options.DataSetReaders[i];
            var reader = known?.Readers.FirstOrDefault(one => !one.IsEnded && one.Options == its);
            if (reader is null)
                fresh.Add(reader = MakeReader(connection, options, its, $"{key}:DataSetReaders:{i}"));
            readers.Add(reader);
        }

        var json = new JsonInput(readers, parts, structures);
        for (var i = 0; i < readers.Count; i++)
            TakeConfigured(readers[i], json, $"{key}:DataSetReaders:{i}");
        return new ReaderGroup(
            options, readers, options.IsUadp ? MakeUadp(connection, options, readers, key, known) : json);
    }

    private DataSetReader MakeReader(
        ConnectionOptions connection, ReaderGroupOptions group, DataSetReaderOptions options, string key)
    {
        try
        {
            return new DataSetReader(connection.Name, group.Name, options, parts);
        }
        catch (ArgumentException error)
        {
            throw new InvalidOperationException(
                $"{key}:Name: another source has the node of '{options.Name}': {error.Message}", error);
        }
    }

    private UadpInput MakeUadp(
        ConnectionOptions connection, ReaderGroupOptions options, IReadOnlyList<DataSetReader> readers, string key,
        ReaderGroup? known)
    {
        try
        {
            return new UadpInput(
                options, readers, parts, outputs.KeysOf(options), connection.IsMqtt, known?.Uadp?.Replays);
        }
        catch (Exception error) when (error is FormatException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException($"{key}:KeysPath: '{options.KeysPath}': {error.Message}", error);
        }
    }

    private static void TakeConfigured(DataSetReader reader, JsonInput json, string key)
    {
        if (reader.Options.MetaDataPath is not { Length: > 0 } path || reader.MetaData is not null)
            return;
        try
        {
            if (!json.TryTakeMetaData(reader, File.ReadAllBytes(path)))
                throw new InvalidOperationException(
                    $"{key}:MetaDataPath: '{path}' holds no metadata message of this DataSetWriterId");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException($"{key}:MetaDataPath: {error.Message}", error);
        }
    }
}
